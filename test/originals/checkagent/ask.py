"""Records, loads, edits, verifies, replays and migrates cassettes with CheckAgent itself. Prints what it found as JSON."""

import json
import sys
import tempfile
import warnings
from pathlib import Path

from checkagent.replay.cassette import Cassette, RecordedRequest
from checkagent.replay.engine import MatchStrategy, ReplayEngine
from checkagent.replay.migration import migrate_file
from checkagent.replay.recorder import CassetteRecorder

warnings.simplefilter("ignore")


def record(one):
    recorder = CassetteRecorder(test_id=one["test_id"])
    for written in one["calls"]:
        call = json.loads(written)
        recorder.record_tool_call(**call["tool"]) if "tool" in call else recorder.record_llm_call(**call["llm"])
    cassette = recorder.finalize()
    cassette.meta.recorded_at = "2026-01-31T12:00:00+00:00"
    return cassette.to_json()


def describe(one):
    try:
        cassette = Cassette.from_json(one["text"])
    except Exception:
        return None
    path = Cassette.cassette_path(Path("c"), cassette.meta.test_id, cassette.compute_content_hash())
    return {
        "intact": cassette.verify_integrity(),
        "hash": cassette.compute_content_hash(),
        "ids": [interaction.compute_id() for interaction in cassette.interactions],
        "path": str(path),
    }


def edit(one):
    cassette = Cassette.from_json(one["text"])
    response = cassette.interactions[one["interaction"]].response
    if isinstance(response.body, str):
        response.body = one["new"]
    else:
        response.body["choices"][0]["message"]["content"] = one["new"]
    cassette.finalize()
    return cassette.to_json()


def verify(one):
    cassette = Cassette.from_json(one["text"])
    return {"intact": cassette.verify_integrity(), "unchanged": cassette.to_json() == one["text"]}


def replay(one):
    engine = ReplayEngine(Cassette.from_json(one["text"]), strategy=MatchStrategy.SEQUENCE)
    calls = engine.cassette.interactions
    bodies = [engine.match(RecordedRequest(kind=call.request.kind)).response.body for call in calls]
    return {"bodies": bodies, "all_used": engine.all_used}


def migrate(one):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cassette.json"
        path.write_text(one["text"], encoding="utf-8")
        migrate_file(path, backup=False)
        return path.read_text(encoding="utf-8")


DO = {"record": record, "describe": describe, "edit": edit, "verify": verify, "replay": replay, "migrate": migrate}
print()
print(json.dumps([DO[one["do"]](one) for one in json.load(open(sys.argv[1]))]))
