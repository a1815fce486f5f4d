"""Emails of an organization to a reader, each with one signed link.

A request only adds a row, so that it takes the same time for every address; a worker writes the letter, or none:

    async def _write(mail: ReaderMail) -> Letter | None: ...

    queue = ReaderMailQueue("preferences", _write)
    await queue.add(org, email, language="de")

List the queue in `jobs/reader_mail.py`, and the path of its link in `link_signing.ReaderPath`.
"""
