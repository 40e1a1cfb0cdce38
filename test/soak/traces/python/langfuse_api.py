"""Langfuse's own ingestion, of version 2; the server of ours merges the events into the observations that its API exports."""

import os

os.environ["LANGFUSE_PUBLIC_KEY"] = "pk-lf-none"
os.environ["LANGFUSE_SECRET_KEY"] = "sk-lf-none"
os.environ["LANGFUSE_HOST"] = os.environ["UPSTREAM"]
import agent
from langfuse.decorators import langfuse_context, observe
from langfuse.openai import OpenAI

openai = OpenAI(base_url=os.environ["UPSTREAM"] + "/v1", api_key="none", max_retries=0)


@observe(name="forecast")
def forecast() -> str:
    return agent.run(openai)


forecast()
langfuse_context.flush()
