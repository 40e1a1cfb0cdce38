import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { rubyVcrFormat } from '../../../src/core/tapes/formats/rubyVcr/index';
import { pythonWith } from '../../harness/peers';
import { runPython } from '../../harness/pythonPeer';
import { inFolder } from '../../harness/support';

/** Replays each request of a cassette, with the network cut off, and prints the bodies in base64. */
const ASK = `
import base64, json, os, sys
import requests
from betamax import Betamax

path = sys.argv[1]
with open(path) as file:
    entries = json.load(file)["http_interactions"]
session = requests.Session()
# Placeholders are replaced in the addresses of responses too, which only Betamax records.
options = {"placeholders": [{"placeholder": "<TOKEN>", "replace": "a-token"}]}
recorder = Betamax(session, cassette_library_dir=os.path.dirname(path), default_cassette_options=options)
with recorder.use_cassette("calls", record="none", match_requests_on=["method", "uri", "body"]):
    answers = []
    for entry in entries:
        asked = entry["request"]
        answer = session.request(asked["method"], asked["uri"], data=asked["body"].get("string"))
        answers.append([answer.status_code, base64.b64encode(answer.content).decode()])
print(json.dumps(answers))
`;

const OLD = JSON.stringify({ http_interactions: [], recorded_with: 'betamax/0.9.0' });

function call(path: string, type: string, body: Buffer) {
  const isText = type.startsWith('text/');
  return {
    kind: 'http',
    http: {
      method: 'POST',
      url: `https://a.example/${path}`,
      requestHeaders: [],
      requestBody: { type: 'text', text: `ask for ${path}` },
      status: 200,
      responseHeaders: [['content-type', type]],
      responseBody: isText
        ? { type: 'text', text: body.toString() }
        : { type: 'base64', base64: body.toString('base64') },
    },
  } satisfies RecordedInteraction;
}

describe('Betamax itself, from the package index of Python', function () {
  this.timeout(400_000);

  it('replays the cassettes that we write over its own', async function () {
    const peer = await pythonWith('betamax');
    if ('missing' in peer) {
      console.error(`NOT TESTED: our cassettes against the real Betamax; it cannot be installed: ${peer.missing}`);
      this.skip();
    }
    const text = Buffer.from('héllo, 世界');
    const bytes = Buffer.from([0, 255, 254, 10]);
    const calls = [call('text', 'text/plain; charset=utf-8', text), call('bytes', 'image/png', bytes)];
    await inFolder(async (folder) => {
      const path = join(folder, 'calls.json');
      await writeFile(path, rubyVcrFormat.serialise('calls', calls, { path, replaces: OLD }));
      const answers = JSON.parse(await runPython(peer.python, ASK, [path], folder));
      assert.deepEqual(
        answers,
        [text, bytes].map((body) => [200, body.toString('base64')]),
      );
    });
  });
});
