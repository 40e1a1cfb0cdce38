"""OpenAI's Agents SDK. API decides which of the two APIs it calls the model with."""

import asyncio
import json
import os

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    add_trace_processor,
    function_tool,
    set_trace_processors,
)
from agents.tracing.processors import BatchTraceProcessor
from agents.tracing.processor_interface import TracingExporter
from openai import AsyncOpenAI
import agent as traced_run


class FileExporter(TracingExporter):
    """Writes what the SDK would send to OpenAI, one request in a line."""

    def export(self, items):
        data = [exported for item in items if (exported := item.export())]
        with open(os.environ["OUT"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"data": data}) + "\n")


processor = BatchTraceProcessor(FileExporter())
set_trace_processors([processor])
client = AsyncOpenAI(base_url=os.environ["UPSTREAM"] + "/v1", api_key="none", max_retries=0)
model = OpenAIResponsesModel if os.environ.get("API") == "responses" else OpenAIChatCompletionsModel


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city"""
    return traced_run.get_weather(city)


forecaster = Agent(
    name="forecaster",
    instructions=traced_run.SYSTEM,
    model=model("gpt-4o-mini", client),
    model_settings=ModelSettings(temperature=0.5),
    tools=[get_weather],
)
asyncio.run(Runner.run(forecaster, traced_run.QUESTION))
processor.shutdown()
