"""Calls the methods of the server with grpcio, and the clients of xAI and of the Gemini API. Prints what it got."""

import os
import sys

import grpc
from google.protobuf.wrappers_pb2 import StringValue

CREDENTIALS = grpc.ssl_channel_credentials()


def echo(channel):
    def call(kind, name, request):
        method = getattr(channel, kind)(f"/test.Echo/{name}", StringValue.SerializeToString, StringValue.FromString)
        return method(request, timeout=30, metadata=(("authorization", f"Bearer {os.environ['XAI_API_KEY']}"),))

    said = [StringValue(value=word) for word in ["a", "b", sys.argv[1] if len(sys.argv) > 1 else "c"]]
    print(call("unary_unary", "Unary", said[0]).value)
    print([one.value for one in call("unary_stream", "Count", StringValue(value="3"))])
    print(call("stream_unary", "Join", iter(said)).value)
    print([one.value for one in call("stream_stream", "Talk", iter(said))])
    try:
        call("unary_unary", "Fail", said[0])
    except grpc.RpcError as error:
        print(error.code().name, error.details())


echo(grpc.secure_channel("echo.test:443", CREDENTIALS))
echo(grpc.insecure_channel("plain.test:80", compression=grpc.Compression.Gzip))

from xai_sdk import Client  # noqa: E402
from xai_sdk.chat import user  # noqa: E402

client = Client()
chat = client.chat.create(model="grok-4", messages=[user("How is the weather?")])
print(chat.sample().content)
print([piece.content for _, piece in chat.stream()])

from google.ai import generativelanguage  # noqa: E402
from google.api_core.client_options import ClientOptions  # noqa: E402

gemini = generativelanguage.GenerativeServiceClient(client_options=ClientOptions(api_key=os.environ["GEMINI_API_KEY"]))
contents = [{"role": "user", "parts": [{"text": "How is the weather?"}]}]
print(gemini.generate_content({"model": "models/gemini-2.5-flash", "contents": contents}).candidates[0].content.parts[0].text)
