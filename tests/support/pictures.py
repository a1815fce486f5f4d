"""Pictures that tests upload, and the forms that carry them."""

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

SECRET = b"Pariser Platz 1"  # where a photo was taken
BOUNDARY = "xxx"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), colour: str = "teal", **options: Any) -> bytes:
    """A picture in one colour."""
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **options)
    return out.getvalue()


def photo(size: tuple[int, int] = (40, 30), kind: str = "JPEG") -> bytes:
    """A photo that lies on its side and says where it was taken."""
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    exif[0x010E] = SECRET.decode()
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "N", (52.0, 31.0, 0.0)
    return picture(kind, size, exif=exif)


def noisy(size: tuple[int, int]) -> bytes:
    """A PNG that no compression makes small."""
    out = BytesIO()
    Image.effect_noise(size, 100).save(out, "PNG")
    return out.getvalue()


def described() -> bytes:
    """A PNG with a text that says where it was drawn."""
    text = PngInfo()
    text.add_text("Comment", SECRET.decode())
    return picture(pnginfo=text)


def animation(frames: int, size: tuple[int, int] = (8, 8), kind: str = "GIF", **options: Any) -> bytes:
    """Frames of which each differs from the one before."""
    images = [Image.new("P", size, number % 2) for number in range(frames)]
    for image in images:
        image.putpalette([255, 0, 0, 0, 0, 255])
    out = BytesIO()
    images[0].save(out, kind, save_all=True, append_images=images[1:], duration=40, loop=0, **options)
    return out.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG that claims to be so large, in 70 bytes."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    packed = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def pdf(size: int = 0) -> bytes:
    """A PDF of one empty page, padded to this many bytes."""
    head = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    head += b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\n%"
    tail = b"\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    return head + b"x" * (size - len(head) - len(tail)) + tail


def multipart(*files: tuple[str, bytes], fields: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Body and headers of a form with these files."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{text}\r\n'.encode()
        for field, text in (fields or {}).items()
    ]
    for file_name, data in files:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n'
        parts.append(head.encode() + b"Content-Type: image/png\r\n\r\n" + data + b"\r\n")
    body = b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()])
    return {"data": body, "headers": {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}}


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))
