from pipeline.extract.compare import differences
from pipeline.games import color_connect, nut_and_bolt
from pipeline.games.maze_paint import Board as Maze
from tests.boards import CARD, rush_board


def said(level: object, reading: object) -> list[str]:
    return [str(difference) for difference in differences(level, reading)]  # type: ignore[arg-type]


def test_names_and_the_order_of_pieces_do_not_matter() -> None:
    board = rush_board(CARD)
    renamed = board.model_copy(
        update={
            "vehicles": tuple(v.model_copy(update={"id": f"car-{v.id}"}) for v in reversed(board.vehicles)),
            "target": "car-X",
        }
    )
    assert said(board, renamed) == []


def test_two_readers_may_deal_out_the_same_names_differently() -> None:
    board = rush_board(CARD)
    turned = dict(zip("ABCDE", "BCDEA", strict=True)) | {"X": "X"}
    dealt = tuple(v.model_copy(update={"id": turned[v.id]}) for v in board.vehicles)
    assert said(board, board.model_copy(update={"vehicles": dealt})) == []


def test_a_moved_piece_is_named_with_both_places() -> None:
    board = rush_board(CARD)
    moved = rush_board(CARD.replace("E E . . . D", ". E E . . D"))
    assert said(moved, board) == ["vehicles[4].col is 1, but 0 is read."]


def test_pieces_that_only_one_side_has() -> None:
    board, fewer = rush_board(CARD), rush_board(CARD.replace("E E", ". ."))
    assert said(board, fewer) == [
        "vehicles[4]: id E, row 5, col 0, length 2, axis horizontal is not seen in the picture."
    ]
    assert said(fewer, board) == [
        "the picture shows id E, row 5, col 0, length 2, axis horizontal, which the level does not have."
    ]


def test_another_target_is_a_disagreement_although_names_are_free() -> None:
    board = rush_board(CARD)
    assert said(board.model_copy(update={"target": "C"}), board) == ["target is C, but X is read."]
    assert said(board.model_copy(update={"exit": "left"}), board) == ["exit is left, but right is read."]


def test_ends_of_a_pair_have_no_order_but_a_place() -> None:
    red = color_connect.Pair(color="red", ends=((0, 0), (4, 1)))
    blue = color_connect.Pair(color="blue", ends=((1, 1), (2, 2)))
    board = color_connect.Board(rows=5, cols=5, pairs=(red, blue))
    green_for_blue = color_connect.Pair(color="green", ends=((2, 2), (1, 1)))
    turned_red = color_connect.Pair(color="red", ends=((4, 1), (0, 0)))
    turned = color_connect.Board(rows=5, cols=5, pairs=(green_for_blue, turned_red))
    assert said(board, turned) == []
    moved = red.model_copy(update={"ends": ((0, 0), (4, 2))})
    other = board.model_copy(update={"pairs": (moved, blue)})
    assert said(other, board) == ["pairs[0].ends is [[0, 0], [4, 2]], but [[0, 0], [4, 1]] is read."]


def test_how_a_level_is_to_be_played_shows_in_no_picture() -> None:
    board = color_connect.Board(rows=2, cols=2, pairs=(color_connect.Pair(color="red", ends=((0, 0), (1, 1))),))
    assert said(board.model_copy(update={"must_fill": True}), board) == []
    assert said(board.model_copy(update={"walls": ((0, 1),)}), board) == [
        "walls[0]: [0, 1] is not seen in the picture."
    ]


def test_stacks_keep_their_order_and_colours_correspond() -> None:
    board = nut_and_bolt.Board(capacity=2, bolts=(("red", "blue"), ("blue", "red"), ()))
    recoloured = nut_and_bolt.Board(capacity=2, bolts=(("tan", "lime"), ("lime", "tan"), ()))
    assert said(board, recoloured) == []
    swapped = nut_and_bolt.Board(capacity=2, bolts=(("red", "blue"), ("red", "blue"), ()))
    found = said(swapped, recoloured)
    assert len(found) == 2
    assert all(text.startswith("bolts[") for text in found)


def test_drawings_are_compared_cell_by_cell() -> None:
    maze = Maze(grid=("#####", "#@..#", "#####"))
    assert said(maze, Maze(grid=("#####", "#@.##", "#.###"))) == [
        "grid[1][3] is ., but # is read.",
        "grid[2][1] is #, but . is read.",
    ]
    assert said(maze, Maze(grid=("#####", "#@..#"))) == [
        "grid is ['#####', '#@..#', '#####'], but ['#####', '#@..#'] is read."
    ]
