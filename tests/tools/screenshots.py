"""Every page as people see it, at the width of a desk and of a phone, in light and in dark: `make screenshots`.

The pictures go to screenshots/, a folder for each width and colour; `ARGS="/campaigns --width 390"` takes some alone.
"""

import argparse
import itertools
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.conftest import QUIET
from tests.run import chromium
from tests.tools.showcase.instance import Instance, showcase, unclaimed
from tests.tools.showcase.tour import Stop

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
HEIGHTS = {1440: 900, 390: 844}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
TALLEST = 16_000  # pixels, as the browser draws at most; what is longer is cut
DRAWING = 100  # milliseconds for each frame, which another process draws anew in its new place
LOAD_ALL = """async () => {
    document.querySelectorAll("[loading=lazy]").forEach((element) => { element.loading = "eager"; });
    const images = [...document.images];
    await Promise.all(images.map((image) => image.complete || new Promise((done) => {
        image.onload = image.onerror = done;
    })));
    await Promise.allSettled(images.map((image) => image.decode()));
}"""


def main() -> int:
    """Take the pictures; the exit code says whether a page was wider than its screen."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.screenshots", description=__doc__)
    parser.add_argument("start", nargs="?", default="", help="only pages whose route begins so")
    parser.add_argument("--width", type=int, nargs="+", default=list(HEIGHTS), choices=HEIGHTS)
    parser.add_argument("--scheme", nargs="+", default=SCHEMES, choices=SCHEMES)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    chosen = parser.parse_args()
    wide, taken = list[str](), 0
    with (
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryDirectory() as other,
        showcase(Path(data)) as shown,
        unclaimed(Path(other)) as fresh,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        places = ((shown, told_apart(shown)), (fresh, fresh.stops))
        for folder, width, scheme in folders(chosen):
            for instance, stops in places:
                wanted = [stop for stop in stops if stop.route.startswith(chosen.start)]
                wide += take(browser, instance, wanted, width, scheme, folder)
                taken += len(wanted)
        browser.close()
    print(f"{taken} pictures are in {chosen.folder}")
    for line in wide:
        print(f"wider than its screen: {line}")
    return int(bool(wide))


def folders(chosen: argparse.Namespace) -> Iterator[tuple[Path, int, Scheme]]:
    """A folder for each width and colour, empty where all pictures are taken anew."""
    for width, scheme in itertools.product(chosen.width, chosen.scheme):
        folder = chosen.folder / f"{width}-{scheme}"
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.png") if not chosen.start else ():
            old.unlink()  # whose page may have another name or number now
        yield folder, width, scheme


def told_apart(shown: Instance) -> list[Stop]:
    """The pages that differ; those of the empty organization are built of known parts, with words of their own."""
    empty = (stop for stop in shown.pages() if stop.person == "empty")
    return list(dict.fromkeys((*shown.pages(alike=False), *empty)))


def take(browser: Browser, shown: Instance, stops: list[Stop], width: int, scheme: Scheme, folder: Path) -> list[str]:
    """Take these pictures; returns those that are wider than the screen."""
    wide, screen = [], ViewportSize(width=width, height=HEIGHTS[width])
    for person in dict.fromkeys(stop.person for stop in stops):
        context = browser.new_context(
            base_url=shown.base_url, viewport=screen, color_scheme=scheme, reduced_motion="reduce"
        )
        if person:
            shown.sign_in(context, person)
        page = context.new_page()
        for number, stop in enumerate(stops):
            if stop.person != person:
                continue
            page.goto(stop.path)
            name = re.sub(r"\W+", "-", re.sub(r"<\w+:|>", "", stop.route)).strip("-")
            height = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": min(max(height, screen["height"]), TALLEST)})
            page.evaluate(LOAD_ALL)
            for frame in page.frames[1:]:
                frame.wait_for_load_state()
                page.wait_for_timeout(DRAWING)
            page.screenshot(path=folder / f"{person or 'stranger'}-{name}-{number:03}.png")
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append(f"{stop.path} at {width} ({person or 'stranger'})")
            page.set_viewport_size(screen)
        context.close()
    return wide


if __name__ == "__main__":
    sys.exit(main())
