"""Messages of a page: what is none is refused, whatever it is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.errors import PipelineError
from pipeline.suite.gestures import Cancel, Event, Key, Pointer
from pipeline.suite.messages import Command, EventMessage, PointerMessage, message_of, parse_message

SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
ANY = SCALAR | st.lists(SCALAR, max_size=3)
NEAR = st.fixed_dictionaries(
    {"type": st.sampled_from(["down", "cancel", "key", "command", "settled", "frame"])},
    optional=dict.fromkeys(("x", "y", "key", "name", "game", "number", "revision"), ANY),
)


@settings(max_examples=300)
@given(st.binary(max_size=60) | (ANY | NEAR).map(lambda value: json.dumps(value).encode()))
def test_anything_is_a_message_or_an_error(data: bytes) -> None:
    try:
        message = parse_message(data)
    except PipelineError:
        return
    assert json.loads(data)["type"] == message.type


@pytest.mark.parametrize("event", [Pointer("move", (-3.5, 1200)), Key("ArrowLeft"), Cancel()])
def test_events_survive_the_way(event: Event) -> None:
    message = parse_message(json.dumps(message_of(event)).encode())
    assert isinstance(message, EventMessage)
    assert message.event() == event


def test_whole_pixels_are_points_and_a_command_has_its_argument() -> None:
    assert parse_message(b'{"type":"down","x":3,"y":-0.5}') == PointerMessage(type="down", x=3.0, y=-0.5)
    assert parse_message(b'{"type":"command","name":"level","number":2}') == Command(name="level", number=2)
    with pytest.raises(PipelineError):
        parse_message(b'{"type":"command","name":"level","game":"x"}')
