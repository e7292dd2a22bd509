"""LongPuzzleBench pipeline: screenshots in, a verified frozen snapshot out."""

__version__ = "0.1.0"
