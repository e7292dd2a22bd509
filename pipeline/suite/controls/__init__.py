"""How a player's pointer and keys become moves, one module per game."""
