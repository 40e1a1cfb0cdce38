"""Writes what an OpenTelemetry SDK exports as the file exporter of a collector does: a line of OTLP JSON for each batch."""

import base64
import json
import os

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor, SpanExporter, SpanExportResult

IDS = {"traceId", "spanId", "parentSpanId"}


def hexed(value):
    if isinstance(value, list):
        return [hexed(item) for item in value]
    if isinstance(value, dict):
        return {
            key: base64.b64decode(item).hex() if key in IDS and isinstance(item, str) else hexed(item)
            for key, item in value.items()
        }
    return value


def append(message) -> None:
    with open(os.environ["OUT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(hexed(MessageToDict(message, use_integers_for_enums=True))) + "\n")


class FileExporter(SpanExporter):
    def export(self, spans):
        append(encode_spans(spans))
        return SpanExportResult.SUCCESS

    def shutdown(self):
        pass


class FileLogExporter:
    def export(self, batch):
        append(encode_logs(batch))
        from opentelemetry.sdk._logs.export import LogRecordExportResult

        return LogRecordExportResult.SUCCESS

    def shutdown(self):
        pass

    def force_flush(self, timeout_millis=0):
        return True


def processor():
    if os.environ.get("CONSOLE"):
        return SimpleSpanProcessor(ConsoleSpanExporter(out=open(os.environ["OUT"], "a", encoding="utf-8")))
    return SimpleSpanProcessor(FileExporter())


def provider() -> TracerProvider:
    made = TracerProvider()
    made.add_span_processor(processor())
    return made
