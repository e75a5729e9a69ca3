"""Lines: where the audio of a call comes from and goes to."""
