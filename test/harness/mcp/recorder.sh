#!/usr/bin/env bash
# Cassettes both ways with the real mcp-recorder: recorder.sh SERVERS MCP_RECORDER
# SERVERS is the folder of servers.mjs, MCP_RECORDER the program (`pip install mcp-recorder==0.5.0 'starlette<1'`: it cannot record under a newer one).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); engine=$here/../../../dist/engine.js; servers=$1; recorder=$2
work=$(mktemp -d); cd "$work"; trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
server="node $servers/node_modules/@modelcontextprotocol/server-memory/dist/index.js"
config() { printf '{"mcpServers":{"memory":%s}}' "$1" > "$2"; }
client() { node "$here/client.mjs" "$1" "$2" "$servers"; }
replies() { grep '^memory server' "$1" | sed -E 's/"(id|progressToken)":[^,}]*/"\1":0/g' | python3 -c 'import json,sys
for line in sys.stdin: print(json.dumps(json.loads(line.split(" ", 2)[2]), sort_keys=True))'; }
up() { for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$1/" && return; sleep 0.1; done; return 1; }
export MEMORY_FILE_PATH=$work/memory.jsonl

config "{\"command\":\"node\",\"args\":[\"$servers/node_modules/@modelcontextprotocol/server-memory/dist/index.js\"],\"env\":{\"MEMORY_FILE_PATH\":\"$MEMORY_FILE_PATH\"}}" ours.json
node "$engine" exec --tape ours.tape.jsonl --record --mcp-config ours.json -- node "$here/client.mjs" ours.json ours.log "$servers"
node "$engine" convert ours.tape.jsonl ours.cassette.json --to mcp-recorder
"$recorder" inspect ours.cassette.json
"$recorder" replay --cassette ours.cassette.json --port 43121 2>replay.err & player=$!
up 43121; config '{"type":"http","url":"http://127.0.0.1:43121/mcp"}' theirs.json; client theirs.json theirs.log
kill $player
diff <(replies ours.log) <(replies theirs.log) && echo "ok   mcp-recorder replays what Tapedeck recorded and converted"

rm -f "$MEMORY_FILE_PATH"
"$recorder" record --target-stdio "$server" --target-env "MEMORY_FILE_PATH=$MEMORY_FILE_PATH" --port 43122 --output theirs.cassette.json 2>record.err & recording=$!
up 43122; config '{"type":"http","url":"http://127.0.0.1:43122/mcp"}' live.json; client live.json live.log
kill -INT $recording; wait $recording || true
node "$engine" exec --tape theirs.cassette.json --replay --mcp-config ours.json -- node "$here/client.mjs" ours.json replayed.log "$servers"
diff <(replies live.log) <(replies replayed.log) && echo "ok   Tapedeck replays what mcp-recorder recorded"
