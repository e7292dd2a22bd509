"""What can be wrong, said to a person in one sentence."""

from dataclasses import asdict, dataclass


class PipelineError(Exception):
    """The command ran and found something wrong with its input (exit status 1). Its text is one English sentence."""

    exit_code = 1


class UsageError(PipelineError):
    """Wrong usage or environment (exit status 2)."""

    exit_code = 2


class IllegalMove(PipelineError):
    """A move the rules do not allow in this state."""


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong with a document: a stable code, an English sentence, and the JSON path it concerns."""

    code: str
    message: str
    where: str = "$"

    def document(self) -> dict[str, str]:
        """The problem as it stands in machine output."""
        return asdict(self)


MAX_PROBLEMS = 200
"""Problems listed of one document: a file of 4 MiB can hold a million, and nobody reads them."""


class InvalidDocument(PipelineError):
    """A document that cannot be accepted; carries the problems found (at most MAX_PROBLEMS, then their number)."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.file = file
        self.problems = problems[:MAX_PROBLEMS]
        if len(problems) > MAX_PROBLEMS:
            self.problems.append(Problem("more", f"{len(problems) - MAX_PROBLEMS} more problems are not listed."))
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{file}: {first.where}: {first.message}{more}")
