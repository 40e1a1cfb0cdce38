"""Serves an echo, and xAI's and the Gemini API's methods, on two ports: with TLS and without it. Prints the ports."""

import sys
from concurrent import futures

import grpc
from google.ai.generativelanguage_v1beta.types import generative_service
from google.protobuf.wrappers_pb2 import StringValue
from xai_sdk.proto import chat_pb2

CALLS = 0


def counted(handler):
    def handle(request, context):
        global CALLS
        CALLS += 1
        print("call", CALLS, flush=True)
        return handler(request, context)

    return handle


def unary(request, context):
    context.set_trailing_metadata((("x-cost", "3"),))
    return StringValue(value=f"You said {request.value}.")


def count(request, _):
    for at in range(int(request.value)):
        yield StringValue(value=str(at + 1))


def join(requests, _):
    return StringValue(value=" ".join(request.value for request in requests))


def talk(requests, _):
    for request in requests:
        yield StringValue(value=request.value.upper())


def fail(_, context):
    context.abort(grpc.StatusCode.NOT_FOUND, "no such thing")


def grok(request, _):
    asked = request.messages[-1].content[0].text
    response = chat_pb2.GetChatCompletionResponse(id="1", model=request.model)
    output = response.outputs.add()
    output.finish_reason = 1
    output.message.role = chat_pb2.ROLE_ASSISTANT
    output.message.content = f"Grok heard: {asked}"
    response.usage.prompt_tokens, response.usage.completion_tokens, response.usage.total_tokens = 7, 5, 12
    return response


def grok_stream(request, _):
    for word in ["Grok ", "streams."]:
        chunk = chat_pb2.GetChatCompletionChunk(id="1", model=request.model)
        output = chunk.outputs.add()
        output.delta.role = chat_pb2.ROLE_ASSISTANT
        output.delta.content = word
        yield chunk


def gemini(request, _):
    asked = request.contents[-1].parts[0].text
    return generative_service.GenerateContentResponse.pb()(
        candidates=[{"content": {"role": "model", "parts": [{"text": f"Gemini heard: {asked}"}]}, "finish_reason": 1}],
        usage_metadata={"prompt_token_count": 7, "candidates_token_count": 5, "total_token_count": 12},
    )


def methods(service, **handlers):
    return grpc.method_handlers_generic_handler(service, handlers)


def handler(kind, handle, request, response):
    make = getattr(grpc, f"{kind}_rpc_method_handler")
    return make(counted(handle), request.FromString, response.SerializeToString)


GENERATE = (generative_service.GenerateContentRequest.pb(), generative_service.GenerateContentResponse.pb())
HANDLERS = (
    methods(
        "test.Echo",
        Unary=handler("unary_unary", unary, StringValue, StringValue),
        Count=handler("unary_stream", count, StringValue, StringValue),
        Join=handler("stream_unary", join, StringValue, StringValue),
        Talk=handler("stream_stream", talk, StringValue, StringValue),
        Fail=handler("unary_unary", fail, StringValue, StringValue),
    ),
    methods(
        "xai_api.Chat",
        GetCompletion=handler("unary_unary", grok, chat_pb2.GetCompletionsRequest, chat_pb2.GetChatCompletionResponse),
        GetCompletionChunk=handler(
            "unary_stream", grok_stream, chat_pb2.GetCompletionsRequest, chat_pb2.GetChatCompletionChunk
        ),
    ),
    methods(
        "google.ai.generativelanguage.v1beta.GenerativeService",
        GenerateContent=handler("unary_unary", gemini, *GENERATE),
    ),
)

server = grpc.server(futures.ThreadPoolExecutor(8), handlers=HANDLERS, compression=grpc.Compression.Gzip)
key, certificate = (open(path, "rb").read() for path in sys.argv[1:3])
secure = server.add_secure_port("localhost:0", grpc.ssl_server_credentials([(key, certificate)]))
plain = server.add_insecure_port("localhost:0")
server.start()
print("ports", secure, plain, flush=True)
server.wait_for_termination()
