"""Tests in a real browser; a package, so that its one browser is closed before the next folder's tests begin."""
