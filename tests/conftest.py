"""Settings of every test: hypothesis repeats itself from run to run, and whatever is skipped is said in one line."""

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each reason why tests were skipped."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple))
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count} tests: {reason}")
