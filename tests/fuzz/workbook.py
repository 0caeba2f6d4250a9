"""Excel workbooks: damage to the zip, and to the XML inside."""

from __future__ import annotations

import io
import zipfile
from random import Random

from fuzz.mutators import Files, mutated_bytes, one_of_the_files

NAME = "mols.xlsx"
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def _links(*links: tuple[str, str, str]) -> str:
    told = "".join(
        f'<Relationship Id="{name}" Type="{TYPES}/{kind}" Target="{part}"/>'
        for name, kind, part in links
    )
    return f"<Relationships>{told}</Relationships>"


PARTS = {
    "_rels/.rels": _links(("a", "officeDocument", "xl/workbook.xml")),
    "xl/_rels/workbook.xml.rels": _links(
        ("b", "worksheet", "worksheets/sheet1.xml"),
        ("c", "sharedStrings", "sharedStrings.xml"),
        ("d", "styles", "/xl/styles.xml"),
    ),
    "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{TYPES}"><workbookPr date1904="0"/><sheets>'
    '<sheet name="A" state="visible" r:id="b"/></sheets></workbook>',
    "xl/sharedStrings.xml": f"<sst {MAIN}><si><t>smiles</t></si><si><t>y</t></si><si><r><t>CC"
    "</t></r><r><t>O</t></r><rPh><t>x</t></rPh></si><si><t>C1CC1</t></si></sst>",
    "xl/styles.xml": f'<styleSheet {MAIN}><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>'
    '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="46"/></cellXfs>'
    "</styleSheet>",
    "xl/worksheets/sheet1.xml": f"<worksheet {MAIN}><sheetData>"
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1.5</v></c></row>'
    '<row r="4"><c t="inlineStr"><is><t>C</t></is></c><c r="B4"><f>A1</f><v>-2E-3</v></c></row>'
    '<row><c t="s"><v>3</v></c><c t="b"><v>1</v></c></row><row><c t="str"><v>O=C=O</v></c>'
    '<c s="1"><v>43422.25</v></c></row><row><c t="s"><v>2</v></c><c s="2"><v>0.5</v></c></row>'
    "</sheetData></worksheet>",
}


def zipped(parts: Files, compression: int = zipfile.ZIP_DEFLATED) -> Files:
    """A workbook of these parts."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return {NAME: memory.getvalue()}


def workbook_seeds() -> list[Files]:
    """The same workbook, packed and not."""
    parts = {name: text.encode() for name, text in PARTS.items()}
    return [zipped(parts), zipped(parts, zipfile.ZIP_STORED)]


def edited_workbook(rng: Random, files: Files) -> Files:
    """Change bytes of the zip, or of a part."""
    if rng.random() < 0.2:
        return {NAME: mutated_bytes(rng, files[NAME])}
    with zipfile.ZipFile(io.BytesIO(files[NAME])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return zipped(one_of_the_files(rng, parts))
