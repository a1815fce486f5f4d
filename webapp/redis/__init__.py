"""Redis: the client, scripts in it, and the server that comes with Pennypost.

client    connections, and how jobs are named
script    runs a Lua script with a bounded wait
embedded  the server that is started where REDIS_URL is not set
"""
