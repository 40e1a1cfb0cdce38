"""opentelemetry-instrumentation-openai-v2. CAPTURE decides between attributes of spans and events."""

import agent
import otlp
from opentelemetry import trace
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

tracer_provider = otlp.provider()
logger_provider = LoggerProvider()
logger_provider.add_log_record_processor(SimpleLogRecordProcessor(otlp.FileLogExporter()))
trace.set_tracer_provider(tracer_provider)
events = {}
try:
    from opentelemetry.sdk._events import EventLoggerProvider

    events = {"event_logger_provider": EventLoggerProvider(logger_provider)}
except ImportError:
    pass  # events are log records since 2025
OpenAIInstrumentor().instrument(tracer_provider=tracer_provider, logger_provider=logger_provider, **events)
with tracer_provider.get_tracer("agent").start_as_current_span("forecast"):
    agent.run(agent.client())
