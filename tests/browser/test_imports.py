"""Ten thousand contacts from a messy file: columns mended, looked at before anything changes, taken in, and undone."""

import csv
import io

from playwright.sync_api import Page, expect

ROWS, TWICE, BROKEN = 10_000, 60, 40
SECONDS = 90_000  # milliseconds that a busy machine may take for all rows


def messy_file() -> bytes:
    """Semicolons, a mark of its encoding, columns with names that tell little, repeated and broken addresses."""
    text = io.StringIO()
    rows = csv.writer(text, delimiter=";")
    rows.writerow(["Kontakt", "Given", "Stadt"])
    for number in range(ROWS - TWICE - BROKEN):
        rows.writerow([f"reader{number}@import.example", "Zoë", 'Köln; "Süd"' if number % 2 else ""])
    for number in range(TWICE):
        rows.writerow([f"READER{number}@import.example", "Zoë", "Bonn"])
    for number in range(BROKEN):
        rows.writerow([f"broken{number}(at)import.example", "Nobody", ""])
    return text.getvalue().encode("utf-8-sig")


def test_ten_thousand_contacts_come_and_go(ada: Page) -> None:
    ada.goto("/imports/new")
    ada.get_by_label("File").set_input_files({"name": "fair.csv", "mimeType": "text/csv", "buffer": messy_file()})
    ada.get_by_role("button", name="Upload and match columns").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Match columns")
    expect(ada.get_by_role("row").filter(has_text="Stadt")).to_contain_text('Köln; "Süd"')
    mend_the_columns(ada)
    expect(ada.get_by_role("heading", level=1)).to_have_text("Review import", timeout=SECONDS)
    counts = ada.get_by_label("Rows of the file")
    expect(counts.locator(".failed b")).to_have_text(str(BROKEN))
    expect(counts.locator(".sent b")).to_have_text(f"{ROWS - TWICE - BROKEN:,}")
    expect(ada.get_by_text("No contacts have been changed.")).to_be_visible()
    ada.get_by_role("button", name="Import 9,9").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Imported", timeout=SECONDS)
    with ada.expect_download() as download:
        ada.get_by_role("link", name=f"Download all {BROKEN} as CSV").click()
    assert download.value.path().read_text(encoding="utf-8-sig").count("broken") == BROKEN
    look_for(ada, "reader7@import.example", found=True)
    ada.go_back()
    undo(ada)
    look_for(ada, "reader7@import.example", found=False)


def mend_the_columns(page: Page) -> None:
    """Without a column of addresses it does not go on, and what was chosen stays."""
    page.get_by_label("Import Kontakt as").select_option(label="Don't import")
    page.get_by_label("Import Given as").select_option(label="First name")
    page.get_by_label("Or a new segment").fill("Fair")
    page.get_by_role("button", name="Preview import").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Import Given as").locator("option:checked")).to_have_text("First name")
    page.get_by_label("Import Kontakt as").select_option(label="Email")
    page.get_by_role("button", name="Preview import").click()


def look_for(page: Page, address: str, *, found: bool) -> None:
    page.goto(f"/contacts?q={address}")
    expect(page.locator("tbody").get_by_text(address)).to_have_count(int(found))


def undo(page: Page) -> None:
    page.get_by_role("link", name="Undo import").click()
    page.get_by_role("dialog").get_by_role("button", name="Undo import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Import undone", timeout=SECONDS)
