"""Ids, canonical JSON, digests, errors, seeds, files, outcomes. Knows no game."""
