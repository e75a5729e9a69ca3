"""Any of our lines as a pipecat transport."""

from __future__ import annotations

from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InputAudioRawFrame,
    InterruptionFrame,
    OutputAudioRawFrame,
    StartFrame,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import BaseTransport, TransportParams

from voice.line.line import Line


class LineTransport(BaseTransport):
    """Carries a call between a Line and a pipeline.

    The line is opened when the pipeline has started, and closed when it ends.
    """

    def __init__(self, line: Line) -> None:
        super().__init__()
        params = TransportParams(audio_in_enabled=True, audio_out_enabled=True)
        self._output = _LineOutput(line, params)
        self._input = _LineInput(line, params, self._output)

    def input(self) -> BaseInputTransport:
        """The caller's end."""
        return self._input

    def output(self) -> BaseOutputTransport:
        """The agent's end."""
        return self._output


class _LineInput(BaseInputTransport):
    def __init__(self, line: Line, params: TransportParams, output: _LineOutput) -> None:
        super().__init__(params)
        self._line = line
        self._output = output

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        await self._line.open(
            in_hz=self.sample_rate, out_hz=self._output.sample_rate, receive=self._receive
        )

    async def _receive(self, pcm: bytes) -> None:
        await self.push_audio_frame(InputAudioRawFrame(pcm, self.sample_rate, 1))


class _LineOutput(BaseOutputTransport):
    def __init__(self, line: Line, params: TransportParams) -> None:
        super().__init__(params)
        self._line = line

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def stop(self, frame: EndFrame) -> None:
        await super().stop(frame)  # what was still to be said is said first
        await self._line.close()

    async def cancel(self, frame: CancelFrame) -> None:
        await self._line.close()
        await super().cancel(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        await self._line.write(frame.audio)
        return True

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InterruptionFrame):
            # After pipecat has dropped its own queue, so that nothing follows the clear.
            self._line.clear()
