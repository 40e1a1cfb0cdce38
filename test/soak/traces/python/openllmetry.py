"""openllmetry's instrumentation before it took over the names of the GenAI conventions."""

import agent
import otlp
from opentelemetry import trace
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

provider = otlp.provider()
trace.set_tracer_provider(provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
with provider.get_tracer("agent").start_as_current_span("forecast"):
    agent.run(agent.client())
