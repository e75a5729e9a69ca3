"""A whole call on a small service desk."""
