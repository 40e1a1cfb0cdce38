import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { encodeBase64 } from '../../../src/core/bytes/base64';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { unheldIn } from '../../../src/core/tapes/unheld';
import { newTapeFile } from '../../../src/core/tapes/writableFormat';
import { applySplices } from '../../../src/core/text/splice';
import { httpExchange } from '../../core/tapes/httpArbitraries';
import { pythonWith } from '../../harness/peers';
import { runPython } from '../../harness/pythonPeer';

/** What the real vcrpy makes of a cassette. */
interface Verdict {
  /** The text of the answer that a client gets. */
  readonly replayed: string;
  readonly length: string | null;
  /** The cassette as vcrpy itself would write it. */
  readonly written: string;
}

/** Asks every cassette of a folder for its one answer, with the network cut off, and writes the cassette again. */
const ASK = `
import gzip, json, pathlib, sys, urllib.request
import vcr
from vcr.serialize import deserialize, serialize
from vcr.serializers import yamlserializer

def ask(path):
    recorder = vcr.VCR(record_mode="none", match_on=["method", "uri", "body"])
    with recorder.use_cassette(str(path)) as cassette:
        asked = urllib.request.Request("https://api.openai.com/v1/chat/completions", data=b'{"messages": []}')
        with urllib.request.urlopen(asked) as answer:
            body, length = answer.read(), answer.headers.get("content-length")
        assert cassette.all_played
    if body[:2] == b"\\x1f\\x8b":
        body = gzip.decompress(body)
    requests, responses = deserialize(path.read_bytes().decode(), yamlserializer)
    written = serialize({"requests": requests, "responses": responses}, yamlserializer)
    return {"replayed": json.loads(body)["choices"][0]["message"]["content"], "length": length, "written": written}

names = sorted(pathlib.Path(sys.argv[1]).glob("*.yaml"))
print(json.dumps([ask(path) for path in names]))
`;

/** Reads every cassette of a folder and writes it again, byte for byte. */
const COPY = `
import json, pathlib, sys
from vcr.serialize import deserialize, serialize
from vcr.serializers import jsonserializer, yamlserializer

def copy(path):
    serializer = jsonserializer if path.suffix == ".json" else yamlserializer
    requests, responses = deserialize(path.read_bytes().decode(), serializer)
    return serialize({"requests": requests, "responses": responses}, serializer)

print(json.dumps([copy(path) for path in sorted(pathlib.Path(sys.argv[1]).iterdir())]))
`;

const ANSWER = '{"choices": [{"message": {"role": "assistant", "content": "An answer."}}], "id": "a"}';

function cassette(body: string, length: number): string {
  return `interactions:
- request:
    body: '{"messages": []}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body:
      string: ${body}
    headers:
      content-length:
      - '${length}'
      content-type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
`;
}

const PACKED = gzipSync(new TextEncoder().encode(ANSWER), { mtime: 0 });
const WRAPPED = encodeBase64(PACKED).replace(/.{76}(?=.)/g, '$&\n        ');
const PLAIN = cassette(`'${ANSWER.replace('"An answer."', '"An\n        answer."')}'`, ANSWER.length);
const BINARY = cassette(`!!binary |\n        ${WRAPPED}`, PACKED.length);

describe('vcrpy itself, from the package index of Python', function () {
  this.timeout(400_000);
  let python = '';
  let folder = '';

  before(async function () {
    const peer = await pythonWith('vcrpy');
    if ('missing' in peer) {
      console.error(`NOT TESTED: our cassettes against the real vcrpy; it cannot be installed: ${peer.missing}`);
      this.skip();
    }
    python = peer.python;
    folder = await mkdtemp(join(tmpdir(), 'tapedeck-vcrpy-'));
  });

  after(async () => {
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  it('replays the answers that we edited, and writes our files byte for byte as we did', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.lorem({ maxCount: 60 }),
      fc
        .array(fc.constantFrom('words ', "it's ", '"so" ', 'é', '😀', '\\', '\n', '  ', ': ', '# '), { maxLength: 80 })
        .map((all) => all.join('')),
    );
    const texts = fc.sample(text, { numRuns: 120, seed: 5 });
    const files = texts.map((content, index) => edited(index % 2 === 0 ? PLAIN : BINARY, content));
    for (const [index, file] of files.entries()) {
      await writeFile(join(folder, `${String(index).padStart(3, '0')}.yaml`), file);
    }
    const verdicts = JSON.parse(await runPython(python, ASK, [folder], folder)) as Verdict[];
    assert.equal(verdicts.length, texts.length);
    for (const [index, { replayed, length, written }] of verdicts.entries()) {
      assert.equal(replayed, texts[index]);
      assert.equal(written, files[index]);
      const [said] = /(?<=- ')\d+(?=')/.exec(files[index] ?? '') ?? [];
      assert.equal(length, said);
    }
  });

  for (const syntax of ['yaml', 'json']) {
    it(`writes the cassettes that we made byte for byte as we did, in ${syntax}`, async () => {
      const made = join(folder, syntax);
      await mkdir(made);
      const into = { path: `a.${syntax}` };
      const tapes = fc
        .sample(fc.array(httpExchange, { maxLength: 3 }), { numRuns: 150, seed: 6 })
        .map((exchanges) => exchanges.map((http) => ({ kind: 'http' as const, http })))
        .filter((interactions) => {
          const { interactions: written } = vcrpyFormat.read(newTapeFile(vcrpyFormat, '', interactions, into));
          return unheldIn(vcrpyFormat, interactions, written).length === 0;
        });
      assert.ok(tapes.length > 50);
      const files = tapes.map((interactions) => vcrpyFormat.serialise('', interactions, into));
      for (const [index, file] of files.entries()) {
        await writeFile(join(made, `${String(index).padStart(3, '0')}.${syntax}`), file);
      }
      assert.deepEqual(JSON.parse(await runPython(python, COPY, [made], folder)), files);
    });
  }
});

function edited(source: string, text: string): string {
  const outcome = vcrpyFormat.editText(tapeFileFromText(source), { type: 'response-text', interaction: 0, text });
  assert('splices' in outcome);
  return applySplices(source, outcome.splices);
}
