"""One module per verb: a plain Python function each, which the command line calls."""
