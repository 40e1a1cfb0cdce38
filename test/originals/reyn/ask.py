"""Records and replays with Reyn's LLMReplay, through litellm and against a local upstream. Prints what it found as JSON."""

import asyncio
import json
import os
import sys
import types
from pathlib import Path

# LLMReplay also asks Reyn for the tools of its MCP servers. There are none here.
no_servers = types.ModuleType("reyn.runtime.services.mcp_cache_file")
no_servers.cache_file_path = lambda folder: folder
no_servers.read_cache = lambda path: None
for name in ("reyn.runtime", "reyn.runtime.services"):
    sys.modules[name] = types.ModuleType(name)
sys.modules[no_servers.__name__] = no_servers
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402

from reyn.dev.testing.replay import LLMReplay, MissingFixture, PreconditionMismatch  # noqa: E402

litellm.telemetry = False
litellm.suppress_debug_info = True


async def ask(call):
    if call["kind"] == "embedding":
        response = await litellm.aembedding(model=call["model"], input=call["input"], **call["extra"])
        return [item["embedding"] for item in response.data]
    sent = {key: call[key] for key in ("tools", "tool_choice", "temperature") if key in call}
    response = await litellm.acompletion(model=call["model"], messages=call["messages"], **sent, **call["extra"])
    message = response.choices[0].message
    called = [[one.function.name, one.function.arguments] for one in message.tool_calls or []]
    return {"content": message.content, "calls": called}


async def record(one):
    path = Path(one["path"])
    path.unlink(missing_ok=True)
    replay = LLMReplay(path, mode="record")
    replay.install()
    try:
        said = [await ask(call) for call in one["calls"]]
    finally:
        replay.restore()
    replay.flush()
    return {"text": path.read_text(encoding="utf-8"), "said": said}


async def replay(one):
    path = Path(one["path"])
    path.write_text(one["text"], encoding="utf-8")
    replaying = LLMReplay(path, mode="replay")
    replaying.install()
    said = []
    try:
        for call in one["calls"]:
            try:
                said.append(await ask(call))
            except PreconditionMismatch:
                said.append("other environment")
            except MissingFixture as error:
                said.append({"missing": str(error)} if one.get("reasons") else "missing")
    finally:
        replaying.restore()
    return said


async def main():
    do = {"record": record, "replay": replay}
    return [await do[one["do"]](one) for one in json.load(open(sys.argv[1]))]


print()
print(json.dumps(asyncio.run(main())))
