"""Ears, brain and mouth, and the frameworks and lines that they plug into.

The path of a turn, in the order of the files that it passes:

1. ``line/`` brings the caller's audio: a rehearsed caller, a microphone. ``pipecat/line.py`` makes
   a pipecat transport of any of them.
2. ``turns/listener.py`` hears it. ``turns/turn.py`` decides, purely: is it speech (``vad``,
   ``voicing``), what is to be decoded when (``decodes``; ``stt/whisper.py`` does it), where speech
   ended (``speech_end``, ``audio_clock``), how much silence ends the turn (``endpoint``). What it
   says is in ``turns/events.py``: ``SpeechStarted``, ``Interim``, ``EagerTurn``, ``Retracted``,
   ``TurnEnded``, ``SpeechDropped``.
3. ``pipecat/ears.py`` tells pipecat. Interim text goes to ``llm/prefill.py``; an eager turn starts
   the answer, and ``speculative/eager.py`` decides whether the turn's end confirms it.
4. ``pipecat/brain.py`` asks ``llm/backend.py``, which streams and measures; the embedded server is
   ``llm/embedded.py``. While the answer is held, ``tts/held.py`` makes its first clauses.
5. ``pipecat/mouth.py`` cuts the answer into clauses (``tts/clauses.py``) and speaks them:
   ``tts/mouth.py`` asks the store, puts them as people say them (``tts/spoken.py``) and streams
   them from ``tts/piper.py``.
6. ``pipecat/tap.py`` sees what goes to the line and marks it in ``budgets/ledger.py``.

``pipecat/agent.py`` puts these in a row, ``engines.py`` loads them, ``config.py`` names them.
"""
