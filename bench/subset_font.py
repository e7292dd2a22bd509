"""The page's fonts: the characters that the suite's texts need, cut out of a large CJK font.

    python -m bench.subset_font NotoSansCJK-Regular.ttc NotoSansCJK-Bold.ttc

The sources are those of Debian's fonts-noto-cjk (SIL Open Font License; see `templates/suite/font/OFL.txt`). The cut
fonts carry a family name of their own, as that licence wants of modified versions. To be run again when a text gains a
character; a test says when that is so.
"""

import argparse
import json
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

SUITE = Path(__file__).resolve().parent.parent / "templates" / "suite"
FAMILY = "LPB Sans"
PUNCTUATION = "…—–·×→←↑↓✓，。、；：？！（）《》「」“”‘’％／"
_WEIGHTS = ("Regular", "Bold")
_NAMES_KEPT = (0, 5, 13, 14)  # copyright, version, licence and its address


def needed_characters() -> set[str]:
    """Every character of the texts, printable ASCII and common punctuation."""
    found = set(string.printable) - set(string.whitespace) | set(PUNCTUATION) | {" "}
    for path in sorted((SUITE / "text").glob("*.json")):
        for text in _strings(json.loads(path.read_text("utf-8"))):
            found |= set(text)
    return found


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _strings(item)
        case list():
            for item in value:
                yield from _strings(item)


def subset(source: Path, weight: str, target: Path) -> None:
    """Write the needed glyphs of the source's simplified-Chinese face as woff2."""
    font = _face(source)
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.desubroutinize = True  # compresses better
    options.layout_features = ["kern"]
    options.name_IDs = list(_NAMES_KEPT)
    options.notdef_outline = True
    cutter = Subsetter(options)
    cutter.populate(unicodes=[ord(character) for character in needed_characters()])
    cutter.subset(font)
    _rename(font, weight)
    font.flavor = "woff2"
    font.save(target)


def _face(source: Path) -> TTFont:
    if source.suffix != ".ttc":
        return TTFont(source)
    faces = TTCollection(source).fonts
    return next(face for face in faces if str(face["name"].getDebugName(1)).endswith("Sans CJK SC"))


def _rename(font: TTFont, weight: str) -> None:
    """Give every place that names the font the new name."""
    whole, postscript = f"{FAMILY} {weight}", f"{FAMILY}-{weight}".replace(" ", "")
    for number, text in {1: FAMILY, 2: weight, 3: postscript, 4: whole, 6: postscript}.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    outlines = font["CFF "].cff
    outlines.fontNames[0] = postscript
    top = outlines.topDictIndex[0]
    top.FamilyName, top.FullName = FAMILY, whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for weight in _WEIGHTS:
        parser.add_argument(weight.lower(), type=Path, help=f"the {weight} source, .ttc or .otf")
    sources = vars(parser.parse_args())
    for weight in _WEIGHTS:
        target = SUITE / "font" / f"lpb-sans-{weight.lower()}.woff2"
        subset(sources[weight.lower()], weight, target)
        print(f"{target.name}: {target.stat().st_size} bytes, {len(needed_characters())} characters")


if __name__ == "__main__":
    main()
