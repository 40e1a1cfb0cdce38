"""The run that every producer traces: a call of a tool, its answer, a stream, and a call that fails."""

import json
import os

from openai import OpenAI

SYSTEM = "You are a forecaster. Be brief."
QUESTION = 'What is the weather in "São Paulo"?\nAnswer in °C.'
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}


def client() -> OpenAI:
    return OpenAI(base_url=os.environ["UPSTREAM"] + "/v1", api_key="none", max_retries=0)


def get_weather(city: str) -> str:
    return json.dumps({"city": city, "celsius": 21.5})


def run(openai: OpenAI, tool=get_weather) -> str:
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
    settings = {"model": "gpt-4o-mini", "temperature": 0.5, "max_tokens": 200}
    first = openai.chat.completions.create(messages=messages, tools=[TOOL], **settings)
    calls = first.choices[0].message.tool_calls
    messages.append(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.function.name, "arguments": call.function.arguments},
                }
                for call in calls
            ],
        }
    )
    for call in calls:
        result = tool(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    second = openai.chat.completions.create(messages=messages, tools=[TOOL], **settings)
    streamed(openai)
    failing(openai)
    return second.choices[0].message.content


def streamed(openai: OpenAI) -> None:
    stream = openai.chat.completions.create(
        model="gpt-4o-mini",
        messages=[{"role": "user", "content": "Count to three."}],
        stream=True,
        stream_options={"include_usage": True},
    )
    for _ in stream:
        pass


def failing(openai: OpenAI) -> None:
    try:
        openai.chat.completions.create(model="broken", messages=[{"role": "user", "content": "Fail."}])
    except Exception as error:  # the trace has to tell of it
        print(type(error).__name__)
