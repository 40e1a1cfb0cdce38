import agent
import otlp
from opentelemetry import trace
from openinference.instrumentation.openai import OpenAIInstrumentor
from openinference.semconv.trace import OpenInferenceSpanKindValues, SpanAttributes

provider = otlp.provider()
trace.set_tracer_provider(provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = provider.get_tracer("agent")


def traced(city: str) -> str:
    with tracer.start_as_current_span("get_weather") as span:
        span.set_attribute(SpanAttributes.OPENINFERENCE_SPAN_KIND, OpenInferenceSpanKindValues.TOOL.value)
        span.set_attribute(SpanAttributes.TOOL_NAME, "get_weather")
        span.set_attribute(SpanAttributes.INPUT_VALUE, '{"city": "%s"}' % city)
        result = agent.get_weather(city)
        span.set_attribute(SpanAttributes.OUTPUT_VALUE, result)
        return result


with tracer.start_as_current_span("forecast") as root:
    root.set_attribute(SpanAttributes.OPENINFERENCE_SPAN_KIND, OpenInferenceSpanKindValues.AGENT.value)
    agent.run(agent.client(), traced)
