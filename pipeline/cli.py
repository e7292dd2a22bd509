"""The command line: parse, call, print. Everything else is in `commands/`."""

import io
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

import pipeline
from pipeline.core.canonical import Json
from pipeline.core.errors import PipelineError, UsageError
from pipeline.core.outcome import Budget

PROGRAM = "lpb-pipeline"
INTERRUPTED = 130

_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout; text goes to stderr.")
_root = click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    help="The folder that holds catalogue/ and snapshots/ (default: here).",
)
_workers = click.option("--workers", type=click.IntRange(1, 256), help="Processes at once (default: one per core).")
_paths = click.argument("paths", nargs=-1, type=click.Path(path_type=Path))


class _Seconds(click.FloatRange):
    """From a hundredth of a second to a month: neither nan nor what no clock can wait for."""

    def __init__(self) -> None:
        super().__init__(min=0.01, max=30 * 24 * 3600.0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        return self.fail(f"{value!r} is no number of seconds.", param, ctx) if math.isnan(seconds) else seconds


_seconds = click.option("--time-limit", type=_Seconds(), default=60.0, show_default=True, help="Seconds per level.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(pipeline.__version__, prog_name=PROGRAM)
def cli() -> None:
    """Author, prove, freeze and verify levels of a visual-puzzle benchmark."""


@cli.command()
@_paths
@click.option("--game", default="auto", show_default=True, help="Force a game instead of recognising it.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("catalogue"), show_default=True)
@click.option("--replace", is_flag=True, help="Overwrite a different level in the same place.")
@click.option("--check", "level", type=click.Path(path_type=Path, dir_okay=False), help="Compare LEVEL with one image.")
@_workers
@_json
def ingest(
    paths: tuple[Path, ...],
    game: str,
    out: Path,
    replace: bool,
    level: Path | None,
    workers: int | None,
    as_json: bool,
) -> int:
    """Read screenshots (files or folders) into level documents, each with an overlay to judge it by."""
    from pipeline.commands import check as checking
    from pipeline.commands import ingest as ingesting
    from pipeline.commands import report

    if level is not None:
        if len(paths) != 1:
            raise UsageError("--check LEVEL takes exactly one image.")
        checked = checking.check(level, paths[0])
        return _finish(checked.document(), report.check_text(checked), as_json, checked.exit_code)
    if not paths:
        raise UsageError("name at least one image or folder.")
    wanted = None if game == "auto" else game
    found = ingesting.ingest(paths, game=wanted, out=out, replace=replace, workers=workers)
    return _finish(found.document(), report.ingest_text(found), as_json, found.exit_code)


@cli.command()
@click.argument("candidates", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", required=True, help="Where to file them, e.g. rush_hour/hard.")
@click.option("--allow-duplicates", is_flag=True, help="File a puzzle that the catalogue already holds.")
@_root
@_json
def add(candidates: tuple[Path, ...], to: str, allow_duplicates: bool, root: Path, as_json: bool) -> int:
    """File candidate levels under the next numbers of a difficulty."""
    from pipeline.commands.add import add as file_candidates

    filed = file_candidates(candidates, to, catalogue=root / "catalogue", allow_duplicates=allow_duplicates)
    rows = [{"from": item.source.as_posix(), "to": item.path.as_posix()} for item in filed]
    return _finish({"filed": rows}, (f"{row['from']} -> {row['to']}" for row in rows), as_json)


@cli.command()
@_paths
@_seconds
@click.option("--anew", is_flag=True, help="Solve again even where the evidence is fresh.")
@_root
@_workers
@_json
def validate(
    paths: tuple[Path, ...], time_limit: float, anew: bool, root: Path, workers: int | None, as_json: bool
) -> int:
    """Prove solvability and least moves of levels (default: the catalogue) and file the certificates."""
    from pipeline.commands import report
    from pipeline.commands import validate as validating

    budget = Budget(seconds=time_limit)
    found = validating.validate(paths, catalogue=root / "catalogue", budget=budget, workers=workers, anew=anew)
    return _finish(found.document(), report.validate_text(found), as_json, found.exit_code)


@cli.command()
@click.argument("level", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--after", "moves", multiple=True, help="Moves made before, in text form; may be repeated or quoted.")
@click.argument("more", nargs=-1)
@_seconds
@_json
def explain(level: Path, moves: tuple[str, ...], more: tuple[str, ...], time_limit: float, as_json: bool) -> int:
    """Say what is proved of LEVEL, or of the state after some moves, and draw it as text."""
    from pipeline.commands import report
    from pipeline.commands.explain import explain as explain_level

    made = [move for text in (*moves, *more) for move in text.split()]
    found = explain_level(level, made, Budget(seconds=time_limit))
    return _finish(found.document(), report.explain_text(found), as_json)


@cli.command()
@click.option("--tag", required=True, help="The new snapshot's name, e.g. v2; tags are permanent.")
@click.option("--seed", "seeds", multiple=True, type=click.IntRange(0, 2**32 - 1), help="Seeds to freeze (default: 0).")
@_root
@_json
def snapshot(tag: str, seeds: tuple[int, ...], root: Path, as_json: bool) -> int:
    """Freeze the catalogue: levels, certificates, seeds and runtime under a permanent tag."""
    from pipeline.commands import report
    from pipeline.commands import snapshot as snapshotting

    result = snapshotting.snapshot(tag, root=root, seeds=seeds or (0,))
    return _finish(result, report.snapshot_text(result), as_json)


@cli.command()
@click.argument("tag")
@click.option("--strict", is_flag=True, help="A different runtime is an error.")
@_root
@_workers
@_json
def verify(tag: str, strict: bool, root: Path, workers: int | None, as_json: bool) -> int:
    """Check every digest of a snapshot, replay its certificates, compare the runtime."""
    from pipeline.commands import report
    from pipeline.commands import verify as verifying

    found = verifying.verify(tag, root=root, strict=strict, workers=workers)
    return _finish(found.document(), report.verify_text(found), as_json, found.exit_code)


@cli.command()
@click.argument("old")
@click.argument("new")
@_root
@_json
def diff(old: str, new: str, root: Path, as_json: bool) -> int:
    """Say what changed between two snapshots and whether scores on them may be compared."""
    from pipeline.commands import diff as diffing
    from pipeline.commands import report

    found = diffing.diff(old, new, root=root)
    return _finish(diffing.diff_document(found), report.diff_text(found), as_json)


@cli.command()
@click.argument("what", required=False, metavar="[SNAPSHOT|CATALOGUE]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option("--evaluator-port", type=click.IntRange(0, 65535), default=0, help="Default: any free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen on another interface.")
@click.option("--lang", default="zh", show_default=True, help="Language where a launch names none: zh or en.")
@click.option("--theme", help="Theme of the page where a launch names none.")
@click.option("--state", type=click.Path(path_type=Path, file_okay=False), help="Journals (default: .lpb-suite).")
@_root
def serve(
    what: str | None,
    port: int,
    evaluator_port: int,
    host: str,
    lang: str,
    theme: str | None,
    state: Path | None,
    root: Path,
) -> int:
    """Play a snapshot (tag or folder) or a catalogue (default) in a browser, until interrupted."""
    from pipeline.commands import serve as serving
    from pipeline.suite.hosting import Addresses

    stocked = serving.stock(what, root)
    addresses = Addresses(host, port, evaluator_port)
    for line in serving.stocked_text(stocked, addresses):
        click.echo(line, err=True)
    assets = serving.dressed(theme, lang)
    folder = state or root / serving.STATE
    serving.serve(stocked, addresses, assets, folder, lambda it: click.echo(serving.running_text(it, folder)))
    return 0


@cli.command()
@_root
@_json
def doctor(root: Path, as_json: bool) -> int:
    """Look at this machine: Python, packages, browser, folders; one fix line for everything missing."""
    from pipeline.commands import doctor as examining
    from pipeline.commands import report

    findings = examining.doctor(root)
    document = examining.doctor_document(findings)
    return _finish(document, report.doctor_text(findings), as_json, 0 if document["ok"] else 2)


def _finish(document: Json, text: Iterable[str], as_json: bool, code: int = 0) -> int:
    """Print the text (to stderr when stdout carries JSON) and hand back the exit status."""
    for line in text:
        click.echo(line, err=as_json)
    if as_json:
        # JSON is UTF-8 on every terminal; half a surrogate pair (a file's name that is no UTF-8) becomes its escape.
        click.echo(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace"))
    return code


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every expected failure is one line on stderr."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no reason to stop
    try:
        code = cli.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except PipelineError as error:
        code = _fail(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.ClickException as error:
        code = _fail(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        code = _fail("interrupted; run the same command again to go on.", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has left: not an error, and no second complaint
        code = 0
    except OSError as error:
        code = _fail(f"{error.filename or 'the system'}: {error.strerror or error}.", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(sentence: str, code: int) -> int:
    click.echo(f"{PROGRAM}: {' '.join(sentence.split())}", err=True)
    return code


if __name__ == "__main__":
    main()
