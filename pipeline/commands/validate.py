"""`validate`: every level read strictly, solved, its certificate checked by the rules alone and filed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.commands.progress import Progress
from pipeline.core.canonical import Json
from pipeline.core.errors import InvalidDocument, Problem, UsageError
from pipeline.core.outcome import Budget, Solved, Unknown, Unsolvable
from pipeline.core.workers import Lost, Pool
from pipeline.games.level import Level, level_of, read_level
from pipeline.solve.certificate import certify, check_certificate
from pipeline.solve.table import SOLVERS, warm_up
from pipeline.store.catalogue import catalogue_levels, level_files, misplaced_files
from pipeline.store.evidence import fresh_certificate, write_certificate

GRACE_SECONDS = 60.0
"""What a solver may overrun its time limit by before its process is ended."""
POOL_FROM = 3
"""Fewer levels than this are solved in this process: starting others would take longer."""


@dataclass(frozen=True)
class Job:
    """A level to solve, as it travels to a worker."""

    document: Json
    budget: Budget


@dataclass(frozen=True)
class Verdict:
    """What the solver said: a checked certificate, or bounds; `problems` when its own certificate does not hold."""

    certificate: Json | None
    lower_bound: int | None
    explored: int
    facts: dict[str, Json]
    problems: tuple[Problem, ...]
    seconds: float


@dataclass
class ValidationReport:
    """The rows of machine output."""

    levels: list[Json] = field(default_factory=list)

    def document(self) -> Json:
        """The machine output of `--json`."""
        undecided = sum(row["valid"] and row["solvable"] is None for row in self.levels)
        valid = sum(bool(row["valid"]) for row in self.levels) - undecided
        invalid = len(self.levels) - valid - undecided
        return {"levels": self.levels, "summary": {"valid": valid, "invalid": invalid, "undecided": undecided}}

    @property
    def exit_code(self) -> int:
        """0 when every level is valid and decided."""
        summary = self.document()["summary"]
        return 1 if summary["invalid"] or summary["undecided"] else 0


def validate(
    paths: Sequence[Path],
    *,
    catalogue: Path = Path("catalogue"),
    budget: Budget | None = None,
    workers: int | None = None,
    anew: bool = False,
) -> ValidationReport:
    """Validate level files and folders of them; without paths, the catalogue.

    Certificates are filed as evidence in `catalogue` when that folder exists, wherever the level itself lies; a level
    whose evidence is fresh is not solved again unless `anew`. UsageError for a path that does not exist or an empty
    selection.
    """
    files = _selected(paths, catalogue)
    report = ValidationReport([_blank_row(file) for file in files])
    levels = {i: level for i, file in enumerate(files) if (level := _read(file, report.levels[i])) is not None}
    kept = {} if anew else {i: c for i, level in levels.items() if (c := fresh_certificate(catalogue, level))}
    for i, certificate in kept.items():
        _fill_from_certificate(report.levels[i], levels[i], certificate, seconds=0.0)
    missing = [i for i in levels if i not in kept]
    with Progress(len(files), "levels") as progress:
        progress.advance(len(files) - len(missing))
        progress.advance(0, "preparing the solvers")  # compiling them, the first time on a machine, takes a while
        jobs = [Job(levels[i].document(), budget or Budget()) for i in missing]
        for number, verdict in _solve_all(jobs, {levels[i].game.name for i in missing}, workers):
            i = missing[number]
            if isinstance(verdict, Verdict) and verdict.certificate is not None and catalogue.is_dir():
                write_certificate(catalogue, levels[i].digest, verdict.certificate)
            _fill(report.levels[i], levels[i], verdict)
            progress.step(files[i].as_posix())
    _report_duplicates(report.levels)
    return report


def _selected(paths: Sequence[Path], catalogue: Path) -> list[Path]:
    if not paths:
        files = [entry.path for entry in catalogue_levels(catalogue)] + misplaced_files(catalogue)
        if not files:
            raise UsageError(f"{catalogue.as_posix()} holds no levels; ingest or add some, or name level files.")
        return files
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}.")
    files = list(dict.fromkeys(file for path in paths for file in level_files(path)))
    if not files:
        raise UsageError("there are no level files (*.json) in the folders named.")
    return files


def _read(file: Path, row: Json) -> Level | None:
    """The level, or None with its problems in the row."""
    try:
        level = read_level(file)
    except InvalidDocument as error:
        row["problems"] = [problem.document() for problem in error.problems]
        return None
    row["game"], row["digest"], row["valid"] = level.game.name, level.digest, True
    row["canonical_digest"] = level.canonical_digest
    return level


def _blank_row(file: Path) -> Json:
    nothing = ("game", "digest", "canonical_digest")
    unknown = ("solvable", "min_moves", "proven", "lower_bound", "solution", "can_dead_end")
    row: dict[str, Json] = {"file": file.as_posix(), **dict.fromkeys(nothing), "valid": False, **dict.fromkeys(unknown)}
    return {**row, "proven": False, "explored": 0, "seconds": 0.0, "problems": []}


def _solve_all(jobs: Sequence[Job], games: set[str], workers: int | None) -> Iterator[tuple[int, Verdict | Lost]]:
    warm_up(games)  # first, so that compiling never counts against a level's time limit
    if len(jobs) < POOL_FROM:
        yield from ((number, solve_job(job)) for number, job in enumerate(jobs))
        return
    seconds = jobs[0].budget.seconds
    pool = Pool(workers, float("inf") if seconds is None else seconds + GRACE_SECONDS)
    yield from pool.run(solve_job, jobs)


def solve_job(job: Job) -> Verdict:
    """Solve one level and check the certificate (runs in a worker process)."""
    level = level_of(job.document, "the level")
    solver = SOLVERS[level.game.name]
    began = time.perf_counter()
    outcome = solver.solve(level.board, job.budget)
    seconds = time.perf_counter() - began
    if isinstance(outcome, Unknown):
        problem = Problem("undecided", f"not decided: {outcome.reason}.", "$.board")
        return Verdict(None, outcome.lower_bound, outcome.explored, dict(outcome.facts), (problem,), seconds)
    certificate = certify(level, solver.version, outcome)
    faults = check_certificate(level, certificate)
    if faults:
        said = tuple(Problem("certificate_rejected", f"the solver's claim does not hold: {p.message}") for p in faults)
        return Verdict(None, None, outcome.explored, {}, said, seconds)
    return Verdict(certificate, None, outcome.explored, dict(outcome.facts), (), seconds)


def _fill(row: Json, level: Level, verdict: Verdict | Lost) -> None:
    if isinstance(verdict, Lost):
        row["problems"].append(Problem("undecided", f"the solver gave no answer: {verdict.reason}").document())
    elif verdict.certificate is not None:
        _fill_from_certificate(row, level, verdict.certificate, verdict.seconds)
    else:
        row["problems"] += [problem.document() for problem in verdict.problems]
        row["lower_bound"], row["explored"] = verdict.lower_bound, verdict.explored
        row["seconds"] = round(verdict.seconds, 4)
        _add_facts(row, verdict.facts)


def _fill_from_certificate(row: Json, level: Level, certificate: Json, seconds: float) -> None:
    claim = certificate["claim"]
    for key in ("solvable", "min_moves", "proven", "lower_bound", "solution", "explored"):
        row[key] = claim[key]
    row["seconds"] = round(seconds, 4)
    _add_facts(row, claim["facts"])
    if not claim["solvable"]:
        message = f"it cannot be solved ({certificate['proof']['kind'].replace('_', ' ')})."
        _invalidate(row, Problem("unsolvable", message, "$.board"))
    elif level.game.must_be_safe and claim["facts"].get("can_dead_end") is not False:
        known = "can_dead_end" in claim["facts"]
        message = "some reachable state cannot be won." if known else "it is not proved that every state can be won."
        _invalidate(row, Problem("unsafe", message, "$.board"))


def _add_facts(row: Json, facts: Mapping[str, Json]) -> None:
    """Facts stand beside the report's own fields, and never in their place."""
    row["can_dead_end"] = facts.get("can_dead_end")
    row.update({name: value for name, value in facts.items() if name not in row})


def _invalidate(row: Json, problem: Problem) -> None:
    row["valid"] = False
    row["problems"].append(problem.document())


def _report_duplicates(rows: Sequence[Json]) -> None:
    """Name, at each later one, the first level that is the same puzzle."""
    first: dict[str, str] = {}
    for row in rows:
        digest = row["canonical_digest"]
        if digest is None:
            continue
        if digest in first:
            message = f"it is the same puzzle as {first[digest]} (renamed, reordered, mirrored or rotated)."
            row["problems"].append(Problem("duplicate", message, "$.board").document())
        first.setdefault(digest, row["file"])


def outcome_sentence(outcome: Solved[Any] | Unsolvable | Unknown) -> str:
    """The verdict in words."""
    if isinstance(outcome, Solved):
        if outcome.proven:
            return f"solvable in {len(outcome.moves)} moves, proved least"
        return f"solvable in {len(outcome.moves)} moves, at least {outcome.lower_bound} needed"
    if isinstance(outcome, Unsolvable):
        return f"lost: no win can be reached ({outcome.proof.kind.replace('_', ' ')})"
    return f"undecided: {outcome.reason}; at least {outcome.lower_bound} moves needed"
