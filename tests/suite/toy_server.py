"""A suite of the toy levels in a process of its own: `python -m tests.suite.toy_server FOLDER PORT`."""

import asyncio
import sys
from pathlib import Path

from pipeline.suite.hosting import Addresses, host
from tests.suite.toys import CONTROLS, toy_assets, toy_shelf


def main(folder: Path, port: int) -> None:
    """Serve until stopped; the page's address on stdout when it answers."""
    asyncio.run(
        host(
            toy_shelf(),
            CONTROLS,
            toy_assets(folder / "assets"),
            folder / "state",
            Addresses(port=port),
            lambda running: print(running.url, flush=True),
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
