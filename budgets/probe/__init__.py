"""The outside caller: hears an agent as a caller does and measures what it hears."""
