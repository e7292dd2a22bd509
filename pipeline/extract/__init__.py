"""Screenshots become boards, or honest questions."""
