"""A process that asks an address again and again, and prints how long each answer took: `asker.py URL SECONDS`."""

import http.client
import json
import sys
import time
from urllib.parse import urlsplit


def main(url: str, seconds: float) -> None:
    where = urlsplit(url)
    took, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
        connection.request("GET", where.path)
        connection.getresponse().read()
        connection.close()
        took.append(time.monotonic() - began)
        time.sleep(0.05)
    print(json.dumps(took))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
