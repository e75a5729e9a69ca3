"""An agent as a pipecat pipeline: ears, brain and mouth between a transport's two ends."""

from __future__ import annotations

from collections.abc import Sequence

from pipecat.frames.frames import TTSSpeakFrame
from pipecat.observers.base_observer import BaseObserver
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.transports.base_transport import BaseTransport

from budgets.ledger import Ledger
from speculative.eager import Speculation
from voice.engines import Engines
from voice.llm.prefill import Prefill
from voice.pipecat.brain import BackendLLMService
from voice.pipecat.ears import ListenerSTTService, listener_turn_strategies
from voice.pipecat.mouth import ClauseProcessor, MouthTTSService
from voice.pipecat.tap import HandoverTap, PlayedTap
from voice.tts.held import HeldSpeech


def build_agent(
    engines: Engines,
    transport: BaseTransport,
    ledger: Ledger,
    *,
    observers: Sequence[BaseObserver] = (),
) -> PipelineWorker:
    """The worker of one call on ``transport``; run it with pipecat's ``WorkerRunner``."""
    locale = engines.config.tts.locale
    speculation = Speculation(attempts=engines.config.turn.attempts)
    context = LLMContext(messages=list(engines.desk.examples_as_messages()))
    user, assistant = LLMContextAggregatorPair(
        context,
        user_params=LLMUserAggregatorParams(
            user_turn_strategies=listener_turn_strategies(speculation=speculation, ledger=ledger),
            empty_user_turn=None,  # sound without words is no turn, so nothing answers it
        ),
    )
    backend, system = engines.backends[0], engines.desk.system_message()
    prefill = Prefill(backend, lambda: [system, *context.get_messages()])

    def ahead_failed() -> None:
        if speculation.retract():
            ledger.waste_ahead()

    pipeline = Pipeline(
        [
            transport.input(),
            ListenerSTTService(
                make_listener=engines.listener, on_interim=prefill.heard, ledger=ledger
            ),
            user,
            BackendLLMService(
                backend=backend,
                system_prompt=engines.desk.prompt,
                prefill=prefill,
                held=HeldSpeech(engines.mouth, locale=locale),
                on_ahead_failed=ahead_failed,
                ledger=ledger,
            ),
            ClauseProcessor(locale=locale),
            MouthTTSService(mouth=engines.mouth, ledger=ledger),
            HandoverTap(ledger),
            transport.output(),
            PlayedTap(ledger),
            assistant,
        ]
    )
    return PipelineWorker(
        pipeline,
        params=PipelineParams(
            audio_in_sample_rate=engines.config.line.in_hz,
            audio_out_sample_rate=engines.config.line.out_hz,
        ),
        observers=list(observers),
        enable_rtvi=False,
        idle_timeout_secs=None,
    )


def greeting(engines: Engines) -> TTSSpeakFrame:
    """What the agent says first; its audio is in the store by then."""
    return TTSSpeakFrame(engines.desk.greeting, append_to_context=True)
