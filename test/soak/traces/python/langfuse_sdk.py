"""Langfuse from version 3 on is an OpenTelemetry SDK: what it sends to its server is OTLP."""

import os

import agent
import otlp
from opentelemetry.sdk.trace import TracerProvider

provider: TracerProvider = otlp.provider()
from langfuse import Langfuse, observe

os.environ["LANGFUSE_PUBLIC_KEY"] = "pk-lf-none"
os.environ["LANGFUSE_SECRET_KEY"] = "sk-lf-none"
os.environ["LANGFUSE_HOST"] = os.environ["UPSTREAM"]
Langfuse(tracer_provider=provider)
from langfuse.openai import OpenAI

openai = OpenAI(base_url=os.environ["UPSTREAM"] + "/v1", api_key="none", max_retries=0)


@observe(name="get_weather", as_type="tool")
def traced(city: str) -> str:
    return agent.get_weather(city)


@observe(name="forecast", as_type="agent")
def forecast() -> str:
    return agent.run(openai, traced)


forecast()
