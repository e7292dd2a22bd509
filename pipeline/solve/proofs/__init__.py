"""Checkers of proofs: they import games and core, and nothing of the search."""
