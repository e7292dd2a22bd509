"""The controls of the six games."""

from pipeline.suite.controls.contract import AnyControls

CONTROLS: dict[str, AnyControls] = {}
