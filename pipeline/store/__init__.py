"""Levels, evidence and snapshots as files on disk."""
