import os

import agent
import otlp
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow

os.environ["TRACELOOP_TELEMETRY"] = "false"
Traceloop.init(app_name="forecast", exporter=otlp.FileExporter(), disable_batch=True)


@tool(name="get_weather")
def traced(city: str) -> str:
    return agent.get_weather(city)


@workflow(name="forecast")
def forecast() -> str:
    return agent.run(agent.client(), traced)


forecast()
