"""Exact solvers, a plain reference search, certificates and their checker."""
