"""The rule book: board models and rules of the games. Imports core only."""
