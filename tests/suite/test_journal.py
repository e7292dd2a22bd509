"""Journals: complete entries survive any cut, and no byte changes unnoticed."""

import functools
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.canonical import digest_of_bytes
from pipeline.suite import journal as reading
from pipeline.suite.journal import DamagedJournal, Journal, read_journal

EVENTS = 200


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of 200 events."""
    path = tmp_path_factory.mktemp("journal") / "a.jsonl"
    journal = Journal.create(path)
    for number in range(EVENTS):
        journal.append([{"kind": "gesture", "events": [["down", number, 0.5], ["up", 1, 2]], "said": "螺母 é"}])
    journal.close()
    return path.read_bytes()


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that were checked once are not checked again: tens of thousands of prefixes share them."""
    monkeypatch.setattr(reading, "_entry", functools.cache(reading._entry))


@pytest.mark.usefixtures("remembered")
def test_a_cut_at_any_byte_leaves_every_complete_entry(recorded: bytes) -> None:
    whole = read_journal(recorded, "a").entries
    assert len(whole) == EVENTS
    for cut in range(len(recorded) + 1):
        text = read_journal(recorded[:cut], "a")
        complete, size = recorded.count(b"\n", 0, cut), recorded.rfind(b"\n", 0, cut) + 1
        assert (len(text.entries), text.size, text.torn) == (complete, size, cut - size)
        assert text.entries[-1:] == whole[:complete][-1:]


@pytest.mark.usefixtures("remembered")
def test_a_byte_changed_anywhere_is_found_and_its_entry_named(recorded: bytes) -> None:
    lines = recorded.splitlines(keepends=True)[:20]
    journal, entry_of = b"".join(lines), [number for number, line in enumerate(lines) for _ in line]
    for place, entry in enumerate(entry_of):
        for bit in range(0, 8, 3):
            spoilt = bytearray(journal)
            spoilt[place] ^= 1 << bit
            with pytest.raises(DamagedJournal) as caught:
                read_journal(bytes(spoilt), "a")
            assert caught.value.entry == entry


@given(st.integers(0, EVENTS - 1), st.integers(0, EVENTS - 1))
def test_entries_cannot_be_left_out_or_moved(recorded: bytes, a: int, b: int) -> None:
    lines = recorded.splitlines(keepends=True)
    lines[a], lines[b] = lines[b], lines[a]
    if a != b:
        with pytest.raises(DamagedJournal):
            read_journal(b"".join(lines), "a")
    lines = recorded.splitlines(keepends=True)
    del lines[a]
    if a != EVENTS - 1:
        with pytest.raises(DamagedJournal):
            read_journal(b"".join(lines), "a")


@pytest.mark.parametrize("body", ['{"n":0,"before":""', '{"before":""', '{"n":0', "[0", '{"n":[]' + "[" * 5000])
def test_a_line_under_a_sound_digest_must_be_an_entry(body: str) -> None:
    digest = digest_of_bytes(f"{body}}}".encode())
    line = f'{body},"digest":"{digest}"}}\n'.encode()
    if body == '{"n":0,"before":""':
        assert len(read_journal(line, "a").entries) == 1
    else:
        with pytest.raises(DamagedJournal):
            read_journal(line, "a")


def test_a_torn_tail_is_cut_off_and_the_chain_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    journal = Journal.create(path)
    journal.append([{"kind": "one"}, {"kind": "two"}])
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"before":"sha256:')
    journal, text = Journal.reopen(path)
    assert ([entry["kind"] for entry in text.entries], text.torn) == (["one", "two"], 18)
    journal.append([{"kind": "three"}])
    journal.close()
    assert [entry["kind"] for entry in read_journal(path.read_bytes(), "a").entries] == ["one", "two", "three"]


def test_a_full_journal_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that filled its journal could else make the server read it again and again."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"damaged\n" * 2)
    with pytest.raises(DamagedJournal):
        Journal.reopen(path)
    monkeypatch.setattr(reading, "MAX_BYTES", 15)
    with pytest.raises(OSError, match="full"):
        Journal.reopen(path)


def test_a_closed_journal_writes_nowhere(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.jsonl")
    journal.close()
    with (tmp_path / "other").open("wb") as other, pytest.raises(OSError, match="Bad file descriptor"):
        journal.append([{"kind": "one"}])
    assert other.closed
    assert (tmp_path / "other").read_bytes() == b""


def test_only_the_owner_reads_a_journal_and_none_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    Journal.create(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        Journal.create(path)


def test_an_entry_is_synced_before_append_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "a.jsonl", []
    journal = Journal.create(path)
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(path.read_bytes()))
    journal.append([{"kind": "one"}])
    assert synced == [path.read_bytes()]
