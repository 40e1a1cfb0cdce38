import os

os.environ["LANGSMITH_TRACING"] = "true"
os.environ["LANGSMITH_ENDPOINT"] = os.environ["UPSTREAM"]
os.environ["LANGSMITH_API_KEY"] = "none"
if os.environ.get("LANGSMITH_OTEL_ENABLED"):
    import otlp
    from opentelemetry import trace

    trace.set_tracer_provider(otlp.provider())

import agent
from langsmith import Client, traceable
from langsmith.run_trees import get_cached_client
from langsmith.wrappers import wrap_openai

openai = wrap_openai(agent.client())


@traceable(run_type="tool", name="get_weather")
def traced(city: str) -> str:
    return agent.get_weather(city)


@traceable(name="forecast")
def forecast() -> str:
    return agent.run(openai, traced)


forecast()
get_cached_client().flush()
