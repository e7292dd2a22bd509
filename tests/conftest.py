"""Settings of every test: hypothesis repeats itself from run to run."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))
