"""The text front end: text as a language model writes it, turned into text as people say it.

Each module knows one kind of written form and has one entry, ``say_…(text, locale) -> str``, pure
and total. :mod:`voice.tts.spoken` runs them in order.
"""
