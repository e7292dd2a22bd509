"""The files of the page: complete in every language, drawn with the project's own font, and asking nobody else."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from bench.subset_font import FAMILY, SUITE, needed_characters
from pipeline.core.palette import PALETTE
from pipeline.games.table import GAMES

LANGUAGES = sorted(path.stem for path in (SUITE / "text").glob("*.json"))
SCRIPTS = sorted(SUITE.rglob("*.js"))
FONTS = sorted((SUITE / "font").glob("*.woff2"))


def texts(language: str) -> Any:
    return json.loads((SUITE / "text" / f"{language}.json").read_text("utf-8"))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string with its dotted path; the entries of a list share one path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, path)
    else:
        yield path, value


def shape(language: str) -> dict[str, set[str]]:
    """For every text its placeholders. `one` may say "one" in words, so it is left out."""
    found: dict[str, set[str]] = {}
    for path, text in leaves(texts(language)):
        if not path.endswith(".one"):
            found.setdefault(path, set()).update(re.findall(r"\{(\w+)\}", text))
    return found


def test_chinese_and_english_are_there_and_say_the_same_things() -> None:
    assert {"zh", "en"} <= set(LANGUAGES)
    assert all(shape(language) == shape("zh") for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_explained(language: str) -> None:
    said = texts(language)["games"]
    assert set(said) == set(GAMES)
    assert all(said[game]["name"] and said[game]["goal"] and len(said[game]["how"]) >= 2 for game in GAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_speaks_of_dead_ends(language: str) -> None:
    """That a board is lost is for the player to find out."""
    spoken = " ".join(text for path, text in leaves(texts(language)) if not path.startswith("connection"))
    assert not re.search(r"dead.?end|lost|stuck|unsolvable|hopeless|死局|无解|失败|卡住|输", spoken, re.IGNORECASE)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_view_and_a_picture(game: str) -> None:
    assert (SUITE / "views" / f"{game}.js").is_file()
    assert (SUITE / "icons" / f"{game}.svg").is_file()
    assert f"./{game}.js" in (SUITE / "views" / "table.js").read_text("utf-8")


@pytest.mark.parametrize("font", FONTS, ids=lambda path: path.stem)
def test_the_fonts_have_every_character_of_the_texts(font: Path) -> None:
    """Otherwise: `python -m bench.subset_font`."""
    assert {chr(code) for code in TTFont(font).getBestCmap()} >= needed_characters()


def test_the_fonts_are_small_and_carry_a_name_of_their_own_and_their_licence() -> None:
    assert len(FONTS) == 2
    assert sum(font.stat().st_size for font in FONTS) < 200_000
    for font in FONTS:
        names = TTFont(font)["name"]
        assert names.getDebugName(1) == FAMILY
        assert "SIL Open Font License" in names.getDebugName(13)
        assert not any("Noto" in str(names.getDebugName(number)) for number in (1, 3, 4, 6))
    assert "SIL OPEN FONT LICENSE Version 1.1" in (SUITE / "font" / "OFL.txt").read_text("utf-8")


def test_colour_names_look_as_the_palette_says() -> None:
    script = (SUITE / "colour.js").read_text("utf-8")
    written = dict(re.findall(r'^  (\w+): "(#[0-9a-f]{6})",$', script, re.MULTILINE))
    assert written == {name: "#{:02x}{:02x}{:02x}".format(*rgb) for name, rgb in PALETTE.items()}


def test_nothing_is_asked_of_other_hosts_and_nothing_is_inline() -> None:
    for path in sorted(path for path in SUITE.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg", ".json"}):
        content = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"(?:https?:)?//[\w-]+\.\w", content), path.name
        if path.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", content), path.name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_drawing_knows_neither_clock_nor_chance(script: Path) -> None:
    content = script.read_text("utf-8")
    assert len(content.splitlines()) <= 300
    assert not re.search(r"Math\.random|crypto\.|\bDate\b|performance\.now|\beval\b|innerHTML", content)
