"""Makes an upload fit for emails: decodes it completely, drops metadata, rotates it upright, scales it down.

Run as a script in its own bounded process, because decoders may fail in any way on a hostile file. Reads the file from
standard input and the maximum width (0: any) as argument; writes a line of JSON, with a `fault` or the picture's
properties, and then the picture. With the argument `colors`, it counts the colours of a library file scaled down to
SIDE pixels.
"""

import json
import struct
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any, cast

from PIL import Image, ImageCms, ImageFile
from PIL.JpegImagePlugin import get_sampling

TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
MAX_PIXELS = 40_000_000  # per frame; the largest photos of phones have less
MAX_FRAMES = 500
MAX_ALL_PIXELS = 250_000_000  # of all frames
OPTIONS: dict[str, dict[str, Any]] = {"PNG": {"optimize": True}, "WEBP": {"quality": 90, "method": 4}}  # of Pillow
SIDE = 48  # pixels
SCALED_JPEG = {"quality": 88, "qtables": None, "subsampling": "4:2:0"}
ORIENTATION = 0x0112  # in EXIF
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# All that affects how a PNG looks (PNG 3, 11), without texts, times and EXIF.
PNG_CHUNKS = set(b"IHDR PLTE IDAT IEND tRNS acTL fcTL fdAT cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD".split())
WEBP_CHUNKS = set(b"VP8X,VP8 ,VP8L,ALPH,ANIM,ANMF,ICCP".split(b","))  # RFC 9649, 2.7
WEBP_METADATA, WEBP_PROFILE = 0x0C, 0x20  # bits in a VP8X chunk: EXIF and XMP, profile
GIF_FRAME, GIF_END, GIF_CONTROL, GIF_APPLICATION = 0x2C, 0x3B, 0xF9, 0xFF
GIF_APPLICATIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")  # how often an animation repeats


class Unfit(Exception):
    """The file cannot be used in emails; the message continues after its name."""


def convert(data: bytes, widest: int) -> tuple[dict[str, Any], bytes]:
    """Type, width and height of a picture, and its bytes without metadata. Raises Unfit."""
    if data[8:12] == b"WEBP":
        check_size(*webp_size(data))  # before Pillow, which allocates two frames to read the size
    image = Image.open(BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP"))
    kind, converted, saved = str(image.format), cast("Image.Image", image), b""
    check_size(*image.size)
    if kind in ("JPEG", "MPO"):  # an MPO's first picture is the one that programs show
        converted, saved = still(image, widest)
    elif count_frames(image) == 1:
        image.seek(0)
        converted, saved = still(image, widest)
    about = {"type": TYPES[kind], "width": converted.width, "height": converted.height}
    return about, saved or strip(kind, data, has_profile=valid_profile(image) is not None)


def check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise Unfit(f"has {width:,} x {height:,} pixels. Scale it down to {MAX_PIXELS // 1_000_000} megapixels at most")


def count_frames(image: ImageFile.ImageFile) -> int:
    """Decodes every frame. Raises Unfit for too many before decoding any."""
    count, limit = 0, min(MAX_FRAMES, MAX_ALL_PIXELS // max(image.width * image.height, 1))
    if getattr(image, "n_frames", 1) > limit:
        raise Unfit(f"has more than {limit} frames of {image.width:,} x {image.height:,} pixels. Shorten it")
    try:
        while count < limit:
            image.seek(count)
            image.load()
            count += 1
    except EOFError:
        pass
    return count


def still(image: ImageFile.ImageFile, widest: int) -> tuple[Image.Image, bytes]:
    """The resulting picture and its bytes, or no bytes if the file itself can be used."""
    kind, profile = ("JPEG" if image.format == "MPO" else str(image.format)), valid_profile(image)
    image.load()
    turn = UPRIGHT.get(image.getexif().get(ORIENTATION, 1))
    options = jpeg_options(image) if kind == "JPEG" else dict(OPTIONS.get(kind, {}))
    changed: Image.Image = image
    if turn is not None:
        changed = changed.transpose(turn)
    if widest and changed.width > widest:
        size = widest, max(round(changed.height * widest / changed.width), 1)
        changed = smooth(changed).resize(size, Image.Resampling.LANCZOS, reducing_gap=3)
        options |= SCALED_JPEG if kind == "JPEG" else {}
    if kind == "JPEG" and changed.mode not in ("L", "RGB"):  # Outlook shows print colours wrongly
        changed, profile = changed.convert("RGB"), None
    if changed is image and kind != "JPEG":
        return changed, b""
    changed.info = {
        name: changed.info[name] for name in ("transparency",) if name in changed.info
    }  # other info would be saved
    out = BytesIO()
    changed.save(out, kind, icc_profile=profile, **options)
    return changed, out.getvalue()


def valid_profile(image: Image.Image) -> bytes | None:
    """The colour profile if it is valid and fits the picture's mode."""
    profile = image.info.get("icc_profile")
    if not profile or int.from_bytes(profile[:4], "big") != len(profile):  # ICC.1:2022, 7.2.2
        return None
    spaces = {"L": "GRAY", "LA": "GRAY", "1": "GRAY", "I": "GRAY", "I;16": "GRAY", "CMYK": "CMYK"}
    try:
        space = ImageCms.ImageCmsProfile(BytesIO(profile)).profile.xcolor_space.strip()
    except (OSError, ImageCms.PyCMSError):
        return None
    return profile if space == spaces.get(image.mode, "RGB") else None


def colors_of(data: bytes) -> dict[str, Any]:
    with Image.open(BytesIO(data), formats=("PNG", "GIF", "WEBP")) as image:
        small = image.convert("RGBA").resize((SIDE, SIDE))
    return {"colors": small.getcolors(SIDE * SIDE)}


def jpeg_options(image: Any) -> dict[str, Any]:
    options = {"qtables": image.quantization, "optimize": True, "progressive": "progressive" in image.info}
    sampling = get_sampling(image)
    return options | ({"subsampling": sampling} if sampling >= 0 else {})


def smooth(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):
        return image.convert("I").point(lambda level: level * (1 / 256)).convert("L")
    if image.mode in ("LA", "RGBA") or (image.mode in ("L", "RGB", "CMYK") and "transparency" not in image.info):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def strip(kind: str, data: bytes, *, has_profile: bool) -> bytes:
    """The file without anything that does not affect how it looks. Raises Unfit."""
    try:
        if kind == "GIF":
            return strip_gif(data)
        return strip_png(data, has_profile=has_profile) if kind == "PNG" else strip_webp(data, has_profile=has_profile)
    except (IndexError, struct.error):
        raise Unfit("is damaged. Save it again and upload that") from None


def strip_png(data: bytes, *, has_profile: bool) -> bytes:
    kept, at, name = [data[:8]], 8, b""
    while name != b"IEND":
        length, name = struct.unpack_from(">I4s", data, at)
        if name in PNG_CHUNKS and (has_profile or name != b"iCCP"):
            kept.append(data[at : at + length + 12])
        at += length + 12
    return b"".join(kept)


def strip_gif(data: bytes) -> bytes:
    """Drops comments and most application blocks (GIF89a)."""
    at = 13 + colours(data[10])
    kept = [data[:at]]
    while at < len(data) and data[at] != GIF_END:
        start = at
        if data[at] == GIF_FRAME:
            at += 10
            at += colours(data[at - 1]) + 1
            is_kept = True
        else:
            label, first = data[at + 1], data[at + 3 : at + 14]
            is_kept = label == GIF_CONTROL or (label == GIF_APPLICATION and first in GIF_APPLICATIONS)
            at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
        if is_kept:
            kept.append(data[start:at])
    return b"".join([*kept, bytes([GIF_END])])


def colours(flags: int) -> int:
    """The bytes of the table of colours that follows."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def strip_webp(data: bytes, *, has_profile: bool) -> bytes:
    kept = b"".join(webp_chunks(data[12:], has_profile=has_profile))
    return b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WEBP" + kept


def webp_chunks(data: bytes, *, has_profile: bool) -> Iterator[bytes]:
    at = 0
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        body = data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
        if name == b"VP8X":
            left_out = WEBP_METADATA if has_profile else WEBP_METADATA | WEBP_PROFILE
            body = bytes([body[0] & ~left_out]) + body[1:]
        if name == b"ANMF":  # frames contain chunks
            body = body[:16] + b"".join(webp_chunks(body[16:], has_profile=has_profile))
        if name in WEBP_CHUNKS and (has_profile or name != b"ICCP"):
            yield name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def webp_size(data: bytes) -> tuple[int, int]:
    """Width and height from the first chunk (RFC 9649, 2.5 to 2.7; RFC 6386, 9.1)."""
    name = data[12:16]
    if name == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if name == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF


def main() -> None:
    Image.MAX_IMAGE_PIXELS = None  # check_size has the limit
    upload, data = sys.stdin.buffer.read(), b""
    try:
        if sys.argv[1] == "colors":
            about = colors_of(upload)
        else:
            about, data = convert(upload, int(sys.argv[1]))
    except Unfit as fault:
        about = {"fault": str(fault)}
    except Exception:  # noqa: BLE001 - decoders raise many kinds, all of which say that the file is not as it should be
        about = {"fault": "is damaged or cut off. Save it again and upload that"}
    sys.stdout.buffer.write(json.dumps(about).encode() + b"\n" + data)


if __name__ == "__main__":
    main()
