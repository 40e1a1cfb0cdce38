import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Interaction } from '../../../src/core/model/interaction';
import { hashOfCassette } from '../../../src/core/tapes/formats/checkagent/edit';
import { cassettePath, shortHash } from '../../../src/core/tapes/formats/checkagent/hash';
import { checkagentFormat } from '../../../src/core/tapes/formats/checkagent/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { exchange } from '../../core/tapes/chatArbitraries';
import { cassetteText } from '../../core/tapes/formats/checkagentCassettes';
import { corpusFolder } from '../../corpus';
import { pythonPeer, runPython } from '../../harness/pythonPeer';

/** What the real CheckAgent says of a cassette. */
interface Verdict {
  readonly error?: string;
  readonly intact: boolean;
  readonly hash: string;
  readonly short: string;
  readonly path: string;
  readonly ids: readonly string[];
  readonly made: readonly string[];
  readonly sequences: readonly number[];
  readonly replayed: readonly string[];
  readonly saved: string;
  readonly warnings: readonly string[];
  readonly migrated: string | null;
}

/** Reads every cassette of a folder with the package itself, replays it to its end, and prints what came of it. */
const ASK = `
import json, pathlib, sys, warnings
from checkagent.core.plugin import CassetteFixture
from checkagent.replay.cassette import Cassette
from checkagent.replay.engine import MatchStrategy, ReplayEngine
from checkagent.replay.migration import migrate_cassette_data

def ask(path):
    text = path.read_bytes().decode()
    try:
        migrated = json.dumps(migrate_cassette_data(json.loads(text)), indent=2, default=str)
    except Exception:
        migrated = None
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cassette = Cassette.load(path)
    except Exception as error:
        return {"error": str(error), "migrated": migrated}
    fixture = CassetteFixture("replay", path, engine=ReplayEngine(cassette, MatchStrategy.SEQUENCE), cassette=cassette)
    exact = ReplayEngine(cassette, MatchStrategy.EXACT)
    for recorded in cassette.interactions:
        assert exact.match(recorded.request) is not None
    hash = cassette.compute_content_hash()
    return {
        "intact": cassette.verify_integrity(),
        "hash": hash,
        "short": cassette.short_hash(),
        "path": Cassette.cassette_path(pathlib.Path("."), cassette.meta.test_id, hash).as_posix(),
        "ids": [one.id for one in cassette.interactions],
        "made": [one.compute_id() for one in cassette.interactions],
        "sequences": [one.sequence for one in cassette.interactions],
        "replayed": [str(fixture.replay_response("")) for _ in cassette.interactions],
        "saved": cassette.to_json(),
        "warnings": [str(one.message) for one in caught],
        "migrated": migrated,
    }

print(json.dumps({path.name: ask(path) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))}))
`;

/** A test as its users have it. The agent must not be asked: the cassette beside the test answers. */
const PYTEST = `
import pytest

def agent(prompt):
    raise AssertionError("the agent was asked")

@pytest.mark.agent_test(layer="replay")
async def test_replays(ca_cassette):
    assert ca_cassette.is_replaying()
    assert await ca_cassette.arun(agent, "hello") == "an edited answer"
`;

describe('CheckAgent itself, from the package index of Python', function () {
  this.timeout(400_000);
  let python = '';
  let folder = '';

  before(async function () {
    const peer = await pythonPeer('checkagent', ['checkagent==2.1.0']);
    if ('missing' in peer) {
      console.error(`NOT TESTED: our cassettes against the real checkagent; it cannot be installed: ${peer.missing}`);
      this.skip();
    }
    python = peer.python;
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tapedeck-python-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(texts: readonly string[]): Promise<Verdict[]> {
    await Promise.all(
      texts.map((text, index) => writeFile(join(folder, `${String(index).padStart(5, '0')}.json`), text)),
    );
    const verdicts = JSON.parse(await runPython(python, ASK, [folder], folder)) as Record<string, Verdict>;
    return Object.keys(verdicts)
      .sort()
      .flatMap((name) => verdicts[name] ?? []);
  }

  it('loads the cassettes that we write, finds them intact, replays them, and would write them the same', async () => {
    const samples = fc.sample(fc.array(exchange, { maxLength: 4 }), { numRuns: 150, seed: 1 });
    const wellFormed = samples.filter((sample) => !/\\ud[89a-f]/i.test(JSON.stringify(sample, bigints)));
    const texts = wellFormed.map((sample) => checkagentFormat.serialise('tests/test_a.py::test b', sample));
    const verdicts = await ask(texts);
    assert.equal(verdicts.length, texts.length);
    verdicts.forEach((verdict, index) => {
      const text = texts[index] ?? '';
      assert.equal(verdict.error, undefined, text);
      assert.deepEqual([verdict.intact, verdict.warnings], [true, []], text);
      assert.deepEqual(verdict.ids, verdict.made);
      assert.equal(verdict.saved, text);
      const tape = checkagentFormat.read(tapeFileFromText(text));
      assert.deepEqual(
        tape.interactions.map(({ id }) => id),
        verdict.ids,
      );
      assert.deepEqual(tape.interactions.map(answerOf), verdict.replayed);
    });
  });

  it('agrees with us on what it refuses, on every hash and on every file name', async () => {
    const texts = fc.sample(cassetteText, { numRuns: 600, seed: 2 });
    const verdicts = await ask(texts);
    verdicts.forEach((verdict, index) => {
      const text = texts[index] ?? '';
      const hash = hashOfCassette(text);
      assert.equal(hash, verdict.error === undefined ? verdict.hash : undefined, `${text}\n${verdict.error}`);
      if (hash === undefined) return;
      assert.equal(shortHash(hash), verdict.short);
      assert.equal(cassettePath(testIdOf(text), hash), verdict.path);
      const isIntact = !checkagentFormat
        .read(tapeFileFromText(text))
        .problems.some(({ message }) => /content_hash/.test(message));
      assert.equal(isIntact, verdict.intact, text);
    });
    const refused = verdicts.filter(({ error }) => error !== undefined).length;
    assert.ok(refused > 50 && refused < 550, `${refused} of ${verdicts.length} refused: the samples tell too little`);
  });

  it('finds a cassette intact after we finalised it', async () => {
    const loaded = fc
      .sample(cassetteText, { numRuns: 600, seed: 3 })
      .filter((text) => hashOfCassette(text) !== undefined);
    const texts = loaded.map((text) => applySplices(text, checkagentFormat.finalise(tapeFileFromText(text))));
    const verdicts = await ask(texts);
    verdicts.forEach((verdict, index) => {
      const text = texts[index] ?? '';
      assert.equal(verdict.error, undefined, text);
      assert.equal(verdict.intact, true, text);
      assert.deepEqual(verdict.sequences, [...verdict.sequences.keys()], text);
      assert.ok(!verdict.ids.includes(''), text);
      assert.match(text, new RegExp(verdict.hash));
    });
  });

  it('migrates as we do, byte for byte, or leaves alone what we leave alone', async () => {
    const old = fc.sample(cassetteText, { numRuns: 400, seed: 4 }).map((text) => withVersion(text, '0'));
    const others = fc.sample(cassetteText, { numRuns: 50, seed: 5 });
    const texts = [...old, ...others];
    const verdicts = await ask(texts);
    let migrated = 0;
    verdicts.forEach((verdict, index) => {
      const text = texts[index] ?? '';
      const ours = checkagentFormat.migrate(tapeFileFromText(text));
      if (ours === undefined) return;
      migrated += 1;
      assert.equal(ours, verdict.migrated, text);
    });
    assert.ok(migrated > 200, `${migrated}`);
    // Theirs also migrates what has no list of interactions, into what it does not load.
    const missed = texts.filter((text, index) => {
      const { interactions } = JSON.parse(text) as { interactions?: unknown };
      const isOurs = checkagentFormat.migrate(tapeFileFromText(text)) !== undefined;
      return index < old.length && verdicts[index]?.migrated !== null && !isOurs && Array.isArray(interactions);
    });
    assert.deepEqual(missed, []);
  });

  it('warns of an old schema in the words that we use', async () => {
    const text = `{"meta": {"schema_version": 0}, "interactions": []}`;
    const [verdict] = await ask([text]);
    const [problem] = checkagentFormat.read(tapeFileFromText(text, 'cassettes/00000.json')).problems;
    assert.ok(verdict?.warnings[0]?.startsWith(problem?.message ?? 'none'), verdict?.warnings[0]);
  });

  it('finds the cassettes of the corpus intact after we edited each of their answers', async function () {
    const corpus = corpusFolder();
    if (corpus === undefined) this.skip();
    const cassettes = join(corpus, 'checkagent-json');
    const names = (await readdir(cassettes, { recursive: true })).filter((name) => name.endsWith('.json'));
    const texts: string[] = [];
    for (const name of names) {
      const file = tapeFileFromText(await readFile(join(cassettes, name), 'utf8'), name);
      checkagentFormat.read(file).interactions.forEach(({ response, index }) => {
        if (typeof response?.content !== 'string' || basename(name).startsWith('v0.json')) return;
        const outcome = checkagentFormat.editText(file, {
          type: 'response-text',
          interaction: index,
          text: 'é edited 😀',
        });
        assert.ok('splices' in outcome, name);
        texts.push(applySplices(file.text, outcome.splices));
      });
    }
    assert.ok(texts.length >= 5);
    for (const verdict of await ask(texts)) {
      assert.equal(verdict.intact, true);
      assert.ok(verdict.replayed.includes('é edited 😀'));
    }
  });

  it('replays an edited cassette in a test of its users', async () => {
    const cassette = join(folder, 'tests/cassettes/test_agent/test_replays.json');
    await mkdir(dirname(cassette), { recursive: true });
    const request = { messages: [{ role: 'user', content: 'hello', toolCalls: [] }], tools: [], params: {} };
    const file = tapeFileFromText(
      checkagentFormat.serialise('t', [{ request, response: { content: 'hi', toolCalls: [] } }]),
    );
    const outcome = checkagentFormat.editText(file, {
      type: 'response-text',
      interaction: 0,
      text: 'an edited answer',
    });
    assert.ok('splices' in outcome);
    await writeFile(cassette, applySplices(file.text, outcome.splices));
    await writeFile(join(folder, 'tests/test_agent.py'), PYTEST);
    await writeFile(join(folder, 'pytest.ini'), '[pytest]\nasyncio_mode = auto\n');
    const script = 'import pytest, sys; sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests"]))';
    assert.match(await runPython(python, script, [], folder), /1 passed/);
  });
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** What `replay_response` gives for an answer: its text; Python's `None` where there is none. */
function answerOf({ response }: Interaction): string {
  return response?.content ?? 'None';
}

function testIdOf(text: string): string {
  const { meta } = JSON.parse(text) as { meta?: { test_id?: string } };
  return meta?.test_id ?? '';
}

function withVersion(text: string, version: string): string {
  return text.replace(/"meta": \{(\}?)/, (_, close) => `"meta": {"schema_version": ${version}${close || ', '}`);
}
