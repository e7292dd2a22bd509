"""What people read: the results of the commands as text, one function each."""

from collections.abc import Iterator

from pipeline.commands.check import CheckReport
from pipeline.commands.doctor import Finding
from pipeline.commands.explain import Explanation
from pipeline.commands.ingest import IngestReport
from pipeline.commands.validate import ValidationReport
from pipeline.commands.verify import VerifyReport
from pipeline.core.canonical import Json
from pipeline.store.diff import SnapshotDiff

SHOWN = 10
"""Entries of a long list that are shown before `… and N more`."""


def ingest_text(report: IngestReport) -> Iterator[str]:
    """A line per picture with what it gave and why, then the counts."""
    for row in report.images:
        where = f" -> {row['level']}" if row["level"] else ""
        game = f" {row['game']}" if row["game"] else ""
        yield f"{row['status']:>9}{game}  {row['file']}{where}"
        yield from (f"           {reason}" for reason in row["reasons"][:SHOWN])
    counts = report.document()["summary"]
    said = ", ".join(f"{count} {status}" for status, count in counts.items())
    skipped = f"; {report.skipped} files are no pictures and were skipped" if report.skipped else ""
    yield f"{len(report.images)} pictures: {said}{skipped}."


def validate_text(report: ValidationReport) -> Iterator[str]:
    """A line per level, its problems below it, then the counts."""
    for row in report.levels:
        yield f"{_mark(row):>9}  {row['file']}  {_level_verdict(row)}".rstrip()
        yield from (f"           {p['where']}: {p['message']}" for p in row["problems"][:SHOWN])
    counts = report.document()["summary"]
    yield f"{len(report.levels)} levels: " + ", ".join(f"{count} {name}" for name, count in counts.items()) + "."


def _mark(row: Json) -> str:
    if not row["valid"]:
        return "invalid"
    return "undecided" if row["solvable"] is None else "valid"


def _level_verdict(row: Json) -> str:
    if row["digest"] is None:
        return ""
    if row["solvable"] is None:
        return f"at least {row['lower_bound']} moves" if row["lower_bound"] else ""
    if not row["solvable"]:
        return ""
    moves = f"{row['min_moves']} moves" + ("" if row["proven"] else f" (at least {row['lower_bound']})")
    cells = f", {row['min_cells']} cells" if row.get("min_cells") is not None else ""
    return moves + cells + (", can be lost" if row["can_dead_end"] else "")


def snapshot_text(result: Json) -> Iterator[str]:
    """What was frozen and where."""
    after = f" after {result['parent']}" if result["parent"] else ""
    evidence = ", ".join(result["evidence"])
    yield f"snapshot {result['tag']}{after}: {result['levels']} levels with {evidence} evidence, in {result['path']}"
    yield f"digest {result['digest']}"


def verify_text(report: VerifyReport) -> Iterator[str]:
    """Problems, runtime differences, and the verdict."""
    yield from (f"{problem.where}: {problem.message}" for problem in report.problems)
    differences = [f"runtime: {d.what} was {_brief(d.then)}, is {_brief(d.now)}" for d in report.runtime]
    yield from differences[:SHOWN]
    if len(differences) > SHOWN:
        yield f"runtime: … and {len(differences) - SHOWN} more differences"
    if report.problems:
        yield f"{report.tag} does not verify: {len(report.problems)} problems."
    else:
        runtime = "the runtime is the same" if not report.runtime else "the runtime differs (see above)"
        yield f"{report.tag} verifies: {report.levels} levels, every certificate replayed; {runtime}."


def diff_text(found: SnapshotDiff) -> Iterator[str]:
    """Levels added, removed and changed, the runtime's differences, and whether scores may be compared."""
    yield from (f"added    {place}" for place in found.added)
    yield from (f"removed  {place}" for place in found.removed)
    for change in found.changed:
        more = f" and {len(change.fields) - SHOWN} more" if len(change.fields) > SHOWN else ""
        yield f"changed  {change.place}: {', '.join(change.fields[:SHOWN])}{more}"
    if found.seeds_changed:
        yield "changed  seeds"
    yield from (f"runtime  {d.what}: {_brief(d.then)} -> {_brief(d.now)}" for d in found.runtime)
    yield found.sentence


def explain_text(found: Explanation) -> Iterator[str]:
    """The state drawn, the verdict, and the moves that remain."""
    yield found.sketch
    yield ""
    yield f"state     {found.state}"
    yield f"verdict   {found.sentence}"
    if found.remaining:
        yield f"moves     {' '.join(found.remaining)}"
    yield f"progress  {found.progress:.3f}"


def doctor_text(findings: list[Finding]) -> Iterator[str]:
    """A line per finding, a fix line below each that is not well."""
    for finding in findings:
        mark = "ok" if finding.ok else ("MISSING" if finding.needed else "note")
        yield f"{mark:>8}  {finding.name}: {finding.detail}"
        if finding.fix:
            yield f"          fix: {finding.fix}"


def check_text(report: CheckReport) -> Iterator[str]:
    """Every element that disagrees with the picture, and where the overlay is."""
    yield from report.disagreements
    yield from (f"note: {note}" for note in report.notes)
    verdict = f"{len(report.disagreements)} disagreements" if report.disagreements else "level and picture agree"
    yield f"{verdict}; overlay in {report.overlay.as_posix()}"


def _brief(value: Json) -> str:
    if value is None:
        return "absent"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
