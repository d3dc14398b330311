"""Makes the documents of this folder, with the libraries that most programs use to write such files.

    pip install python-docx==1.2.0 python-pptx==1.0.2 openpyxl==3.1.5 fpdf2==2.8.9 && python make.py

The tests compare what the readers find with the texts below.
"""
import datetime as dt
import sys

import docx
import fpdf
import openpyxl
import pptx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from openpyxl.styles import NamedStyle
from pptx.util import Inches

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."
MADE = dt.datetime(2026, 11, 1, 12, 0, 0)


def make_docx():
    document = docx.Document()
    document.core_properties.author = "Heddle"
    document.core_properties.created = document.core_properties.modified = MADE
    document.add_heading("Loom manual", 0)
    document.add_heading("Warp & weft", 1)
    paragraph = document.add_paragraph("The warp is ")
    paragraph.add_run("tight").bold = True
    paragraph.add_run(", the weft is loose: 5 < 7.")
    document.add_comment(paragraph.runs[1], text="How tight?", author="Ada")
    for text in ["wool", "linen"]:
        document.add_paragraph(text, style="List Bullet")
    document.add_paragraph("raw silk", style="List Bullet 2")
    for text in ["wind", "thread", "weave"]:
        document.add_paragraph(text, style="List Number")
    document.add_heading("Sizes", 2)
    table = document.add_table(rows=0, cols=3)
    for row in [("Name", "Width", "Price"), ("Small", "40 cm", "120 | 130"), ("Größe L", "90 cm", "300")]:
        for cell, text in zip(table.add_row().cells, row):
            cell.text = text
    changed = document.add_paragraph("Kept ")
    deleted = OxmlElement("w:del")
    run = OxmlElement("w:r")
    gone = OxmlElement("w:delText")
    gone.text = "REMOVED"
    run.append(gone)
    deleted.append(run)
    changed._p.append(deleted)
    inserted = OxmlElement("w:ins")
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "and inserted"
    run.append(text)
    inserted.append(run)
    changed._p.append(inserted)
    line = document.add_paragraph("first line")
    line.add_run().add_break()
    line.add_run("second\tline")
    document.save(f"{FOLDER}/manual.docx")


def make_pptx():
    deck = pptx.Presentation()
    deck.core_properties.author = "Heddle"
    deck.core_properties.created = deck.core_properties.modified = MADE
    title, content, blank = deck.slide_layouts[0], deck.slide_layouts[1], deck.slide_layouts[5]
    slide = deck.slides.add_slide(title)
    slide.shapes.title.text = "Loom sales"
    slide.placeholders[1].text = "Third quarter"
    slide.notes_slide.notes_text_frame.text = "Greet everybody.\nThen begin."
    slide = deck.slides.add_slide(content)
    slide.shapes.title.text = "Regions"
    frame = slide.placeholders[1].text_frame
    frame.text = "North"
    deeper = frame.add_paragraph()
    deeper.text = "Oslo & Umeå"
    deeper.level = 1
    slide = deck.slides.add_slide(blank)
    slide.shapes.title.text = "Figures"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, texts in enumerate([("Month", "Looms"), ("July", "41")]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    slide = deck.slides.add_slide(blank)
    slide.shapes.title.text = "Backup"
    slide._element.set("show", "0")
    # The order of the deck is not that of the files.
    ids = deck.slides._sldIdLst
    ids.insert(1, ids[2])
    deck.save(f"{FOLDER}/sales.pptx")


def make_xlsx(name, epoch):
    book = openpyxl.Workbook()
    book.properties.creator = "Heddle"
    book.properties.created = book.properties.modified = MADE
    book.epoch = epoch
    sheet = book.active
    sheet.title = "Orders, 2026"
    rows = [
        ["Day", "At", "Clock", "Took", "Item", "Count", "Paid"],
        [dt.date(2026, 2, 28), dt.datetime(2026, 2, 28, 13, 45, 10), dt.time(7, 5), dt.timedelta(hours=26, minutes=3), "Loom, small", 3, True],
        [dt.date(2000, 2, 29), dt.datetime(1999, 12, 31, 23, 59, 59), dt.time(23, 59, 59), dt.timedelta(minutes=1), 'The "big" one', 0.25, False],
        [None, None, None, None, "Größe\nL", -1.5e-7, None],
    ]
    for row in rows:
        sheet.append(row)
    sheet["F5"] = "=SUM(F2:F4)"
    sheet["A6"] = dt.date(2026, 7, 1)
    sheet["A6"].number_format = 'dd"/"mm"/"yyyy'
    sheet["B6"] = 46204
    sheet["B6"].number_format = "#,##0 [Red]"
    sheet["C6"] = 0.5
    sheet["C6"].number_format = "0%"
    sheet["D6"] = dt.date(2026, 7, 1)
    sheet["D6"].number_format = "mmm-yy"
    hidden = book.create_sheet("Secret")
    hidden["C3"] = "far away"
    hidden.sheet_state = "hidden"
    book.create_sheet("Empty")
    book.save(f"{FOLDER}/{name}")


def make_pdf():
    pdf = fpdf.FPDF()
    pdf.set_creation_date(MADE.replace(tzinfo=dt.timezone.utc))
    pdf.set_font("Helvetica", size=12)
    for number in range(1, 4):
        pdf.add_page()
        pdf.cell(0, 10, f"Chapter {number}", new_x="LMARGIN", new_y="NEXT")
        pdf.cell(0, 10, f"The weft of page {number} is 5 < 7.", new_x="LMARGIN", new_y="NEXT")
    pdf.output(f"{FOLDER}/book.pdf")


make_docx()
make_pptx()
make_xlsx("orders.xlsx", openpyxl.utils.datetime.WINDOWS_EPOCH)
make_xlsx("orders-1904.xlsx", openpyxl.utils.datetime.MAC_EPOCH)
make_pdf()
