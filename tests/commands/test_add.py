from pathlib import Path

import pytest

from pipeline.commands.add import add
from pipeline.core.errors import InvalidDocument, PipelineError, UsageError
from pipeline.games.level import read_level
from tests.boards import CARD, rush_level

OTHER = CARD.replace("E E", ". .")
MIRRORED = "\n".join(" ".join(reversed(line.split())) for line in CARD.strip().splitlines())


def candidate(catalogue: Path, name: str, drawing: str = CARD, exit_side: str = "right") -> Path:
    path = catalogue / "candidates/rush_hour" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(rush_level(drawing, exit_side).to_bytes())
    path.with_name(path.stem + ".overlay.png").write_bytes(name.encode())
    return path


def test_candidates_move_to_the_next_numbers_with_their_overlays(tmp_path: Path) -> None:
    first, second = candidate(tmp_path, "b.json"), candidate(tmp_path, "a.json", OTHER)
    texts = first.read_bytes(), second.read_bytes()
    filed = add([first, second], "rush_hour/hard", catalogue=tmp_path)
    places = [tmp_path / "rush_hour/hard/01.json", tmp_path / "rush_hour/hard/02.json"]
    assert [item.path for item in filed] == places
    assert tuple(place.read_bytes() for place in places) == texts
    assert (tmp_path / "rush_hour/hard/01.overlay.png").read_bytes() == b"b.json"
    assert not list((tmp_path / "candidates/rush_hour").iterdir())


def test_a_number_once_given_is_not_given_again(tmp_path: Path) -> None:
    add([candidate(tmp_path, "a.json")], "rush_hour/hard", catalogue=tmp_path)
    (tmp_path / "rush_hour/hard/01.json").rename(tmp_path / "rush_hour/hard/09.json")
    filed = add([candidate(tmp_path, "b.json", OTHER)], "rush_hour/hard", catalogue=tmp_path)
    assert filed[0].path.name == "10.json"


@pytest.mark.parametrize(
    ("drawing", "exit_side"), [(CARD, "right"), (MIRRORED, "left"), (CARD.replace("E", "Q"), "right")]
)
def test_the_same_puzzle_is_refused_in_any_form_and_nothing_is_filed(
    tmp_path: Path, drawing: str, exit_side: str
) -> None:
    add([candidate(tmp_path, "a.json")], "rush_hour/easy", catalogue=tmp_path)
    fresh, twin = candidate(tmp_path, "new.json", OTHER), candidate(tmp_path, "twin.json", drawing, exit_side)
    with pytest.raises(PipelineError, match=r"twin.json is the same puzzle as .*easy/01.json"):
        add([fresh, twin], "rush_hour/hard", catalogue=tmp_path)
    assert fresh.is_file()
    assert twin.is_file()
    assert not (tmp_path / "rush_hour/hard").exists()
    assert len(add([twin], "rush_hour/hard", catalogue=tmp_path, allow_duplicates=True)) == 1


def test_two_candidates_that_are_one_puzzle_are_refused(tmp_path: Path) -> None:
    pair = [candidate(tmp_path, "a.json"), candidate(tmp_path, "b.json")]
    with pytest.raises(PipelineError, match="same puzzle"):
        add(pair, "rush_hour/easy", catalogue=tmp_path)


def test_a_file_from_elsewhere_is_copied_not_moved(tmp_path: Path) -> None:
    path = candidate(tmp_path / "elsewhere", "a.json")
    add([path], "rush_hour/easy", catalogue=tmp_path / "catalogue")
    assert path.is_file()
    assert read_level(tmp_path / "catalogue/rush_hour/easy/01.json").digest == rush_level().digest


@pytest.mark.parametrize("to", ["rush_hour", "chess/easy", "rush_hour/Hard", "rush_hour/../x", "candidates/rush_hour"])
def test_a_place_that_is_none_is_wrong_usage(tmp_path: Path, to: str) -> None:
    with pytest.raises(UsageError, match="is no place"):
        add([candidate(tmp_path, "a.json")], to, catalogue=tmp_path)


def test_levels_of_another_game_and_broken_ones_are_refused(tmp_path: Path) -> None:
    path = candidate(tmp_path, "a.json")
    with pytest.raises(PipelineError, match="is a level of rush_hour, not of color_connect"):
        add([path], "color_connect/easy", catalogue=tmp_path)
    path.write_text("{}")
    with pytest.raises(InvalidDocument, match="missing"):
        add([path], "rush_hour/easy", catalogue=tmp_path)


def test_a_candidate_named_twice_is_refused_and_nothing_is_filed(tmp_path: Path) -> None:
    path = candidate(tmp_path, "a.json")
    with pytest.raises(UsageError, match="twice"):
        add(
            [path, path.parent / "." / ".." / path.parent.name / path.name],
            "rush_hour/hard",
            catalogue=tmp_path,
            allow_duplicates=True,
        )
    assert path.is_file()
    assert not (tmp_path / "rush_hour/hard").exists()
