"""Measurements and drawn input; not part of the installed package."""
