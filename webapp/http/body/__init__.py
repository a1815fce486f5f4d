"""Bodies of requests: admitted, parsed, bounded.

json_body             a JSON body as a model
strict_json           JSON by RFC 8259 and RFC 7493, in bounded time and memory
uploads               multipart forms with a file, handed on as they arrive
admission             bodies held at once, in slots that are shared fairly and revoked from slow senders
finish_on_disconnect  a handler is finished although its caller hung up
"""
