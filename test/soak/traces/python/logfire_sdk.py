import agent
import logfire
import otlp

logfire.configure(send_to_logfire=False, console=False, additional_span_processors=[otlp.processor()])
openai = agent.client()
logfire.instrument_openai(openai)
with logfire.span("forecast"):
    agent.run(openai)
