"""Text to speech: how text is said, cut into clauses and synthesised."""
