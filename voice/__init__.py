"""Ears, brain, mouth, and the frameworks and lines they plug into."""
