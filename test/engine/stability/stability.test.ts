import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { type ReceivedRequest, sendJson, serve, type TestServer } from '../../harness/support';

const PHRASES = ['Certainly! ', 'Good question. ', 'I looked into it: ', ''];
const tape = 'a.tape.json';

/** The text of a case that asks a provider at this address. */
const caseAt = (baseUrl: string, more = ''): string => `name = "shipping"
prompt = "Where is my parcel?"
[[tools]]
name = "lookup"
description = "Look a parcel up."
schema = { type = "object" }
result = { parcel = "P-17" }
[llm]
tape = "${tape}"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
model = "m"
${more}`;

interface Said {
  readonly content?: string;
  readonly ids?: string;
  readonly tokens?: number;
  /** Calls the tool first, in this round. */
  readonly calls?: boolean;
}

/** An upstream that answers each conversation otherwise, as models do. `round` counts the conversations from 0. */
function upstream(say: (round: number) => Said): Promise<TestServer> {
  let round = -1;
  return serve((response: ServerResponse, { body }: ReceivedRequest) => {
    const { messages } = JSON.parse(body) as { messages: readonly { role: string }[] };
    const isAnswered = messages.some(({ role }) => role === 'tool');
    if (!isAnswered) round += 1;
    const { content = 'The parcel arrives on Thursday.', ids = `${round}a`, tokens = 10, calls = true } = say(round);
    const call = { id: `call_${ids}bc9d8e7f`, type: 'function', function: { name: 'lookup', arguments: '{}' } };
    const asks = calls && !isAnswered;
    sendJson(response, 200, {
      id: `chatcmpl-${ids}0123456789`,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: asks ? null : content, ...(asks && { tool_calls: [call] }) },
          finish_reason: asks ? 'tool_calls' : 'stop',
        },
      ],
      usage: { prompt_tokens: 20, completion_tokens: tokens, total_tokens: 20 + tokens },
    });
  });
}

const ASSERTS = '[assert]\ntool_called = "lookup"\n';

/** A project whose case asks that upstream; the tape is there already. */
async function withUpstream(
  say: (round: number) => Said,
  test: (project: TestProject, baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = await upstream(say);
  try {
    await inProject({ 'tapedeck.toml': '', 'a.toml': caseAt(server.baseUrl) }, async (project) => {
      await tapedeck(project, 'run', 'a.toml', '--record', '--update-baselines');
      await test(project, server.baseUrl);
    });
  } finally {
    await server.close();
  }
}

interface Pasted {
  readonly file: string;
  readonly how: string;
  readonly table: string;
  readonly toml: string;
}

interface Report {
  readonly stable: boolean;
  readonly takes: readonly string[];
  readonly varying: readonly { title: string; differing: number; of: number; structural: boolean }[];
  readonly hidden: Record<string, number>;
  readonly suggestion?: {
    readonly rules: readonly Record<string, unknown>[];
    readonly snippets: readonly Pasted[];
    readonly everywhere?: { readonly snippet: Pasted; readonly cases: number };
    readonly left: readonly string[];
  };
}

async function report(project: TestProject, ...args: string[]): Promise<Report> {
  const { stdout, stderr } = await tapedeck(project, 'stability', 'a.toml', '--json', '-n', '4', ...args);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Report;
}

/** Pastes what was proposed, as a reader of it would. */
async function paste(project: TestProject, { suggestion }: Report): Promise<void> {
  for (const { file, how, table, toml } of suggestion?.snippets ?? []) {
    const path = file === 'project' ? 'tapedeck.toml' : 'a.toml';
    const text = await project.read(path);
    if (how === 'add') await project.write(path, `${text}\n${toml}`);
    else if (how === 'below') await project.write(path, text.replace(`[${table}]\n`, `[${table}]\n${toml}`));
    else {
      const old = new RegExp(`^\\[${table}\\]\\n(?:(?!\\[[a-z]).*\\n?)*`, 'm');
      await project.write(path, text.replace(old, toml));
    }
  }
}

describe('stability', function () {
  this.timeout(120_000);

  it('leaves tape, baseline and last run as they are, and takes the same for the same', async () => {
    await withUpstream(
      () => ({}),
      async (project) => {
        const files = [tape, 'a.baseline.json', '.tapedeck/runs/a.artifact.json'];
        const before = await Promise.all(files.map((path) => project.read(path)));
        const { code, stdout } = await tapedeck(project, 'stability', 'a.toml', '--times', '3');
        assert.equal(code, 0, stdout);
        assert.match(stdout, /^shipping: 3 takes, in \.tapedeck\/stability\/a\n {2}Equal in all takes/);
        assert.match(stdout, /provider-id/, 'what is hidden is said');
        assert.deepEqual(await Promise.all(files.map((path) => project.read(path))), before);
        assert.ok(project.has('.tapedeck/stability/a/take-3/a.tape.json'));
        assert.equal(project.has('.tapedeck/takes'), false);
      },
    );
  });

  it('proposes patterns for ids and dates, and a tolerance for tokens, which work when pasted', async () => {
    const say = (round: number) => ({
      content: `Parcel ord_${(48_879 + round * 977).toString(16)} arrives on 2026-04-0${(round % 9) + 1}, ticket 88${1000 + round}.`,
      tokens: 10 + (round % 3),
    });
    await withUpstream(say, async (project) => {
      const found = await report(project);
      assert.equal(found.stable, false);
      assert.deepEqual(
        found.varying.map(({ title, differing, of }) => [title, differing, of]),
        [
          ['Response', 3, 4],
          ['Tokens', 2, 4],
        ],
      );
      assert.deepEqual(found.suggestion?.rules, [
        { type: 'pattern', name: 'ord', pattern: '\\bord_[0-9a-f]+' },
        { type: 'pattern', name: 'date', pattern: '\\b[0-9]{4}-[0-9]{2}-[0-9]{2}\\b' },
        { type: 'pattern', name: 'ticket', pattern: '(?<=ticket )[0-9]+' },
        { type: 'usage_tolerance', part: 0.2 },
      ]);
      assert.deepEqual(found.suggestion?.left, []);
      await paste(project, found);
      const after = await report(project);
      assert.deepEqual([after.stable, after.suggestion], [true, undefined]);
      await tapedeck(project, 'run', 'a.toml', '--record', '--update-baselines');
      const again = await tapedeck(project, 'run', 'a.toml', '--record');
      assert.equal(again.code, 0, 'another recording is as the baseline');
    });
  });

  const anew: readonly (readonly [what: string, say: (round: number) => string])[] = [
    ['a UUID', (round) => `3f2b8c1d-9a4e-4c6b-8d2f-${(0x1a2b3c4d5e6f + round * 977).toString(16)}`],
    ['a time', (round) => `2026-04-01T10:${10 + round}:07Z`],
    ['a time of the day', (round) => `10:${10 + round}:07`],
    ['seconds since 1970', (round) => `${1_790_000_000 + round * 61}`],
  ];
  for (const [what, say] of anew)
    it(`says that an answer with ${what} differs each time, and proposes a rule for the case`, async () => {
      await withUpstream(
        (round) => ({ content: `Noted as ticket ${say(round)}.`, calls: false }),
        async (project) => {
          const found = await report(project);
          assert.equal(found.stable, false);
          assert.deepEqual(
            [found.varying[0]?.title, found.varying[0]?.differing, found.varying.length],
            ['Response', 3, 1],
          );
          assert.deepEqual(
            found.suggestion?.rules.map(({ type }) => type),
            ['pattern'],
          );
          assert.deepEqual(found.suggestion?.left, []);
          await paste(project, found);
          assert.equal((await report(project)).stable, true);
          await tapedeck(project, 'run', 'a.toml', '--record', '--update-baselines');
          const again = await tapedeck(project, 'run', 'a.toml', '--record', '--fail-on-diff');
          assert.equal(again.code, 0, again.stdout);
        },
      );
    });

  it('proposes for wording not to compare it, and an assertion about what every answer says', async () => {
    const say = (round: number) => ({
      content: `${PHRASES[round % 4]}Parcel P-17 arrives on Thursday${round % 2 === 0 ? ', I think.' : '.'}`,
    });
    await withUpstream(say, async (project) => {
      const text = await tapedeck(project, 'stability', 'a.toml', '-n', '4');
      assert.equal(text.code, 1);
      assert.match(text.stdout, /Response · interaction 2, also in output_text: different in all 4 takes/);
      assert.match(
        text.stdout,
        /Add to a\.toml:\n\n {2}\[normalise\]\n {2}ignore = \["response\.content", "output_text"\]\n/,
      );
      assert.doesNotMatch(text.stdout, /Add to tapedeck\.toml/);
      assert.match(
        text.stdout,
        /Add to a\.toml:\n\n {2}\[assert\]\n {2}contains = "Parcel P-17 arrives on Thursday"\n/,
      );
      assert.match(
        text.stdout,
        /With these rules, all takes compare as equal\.\nIn tapedeck\.toml, the same rules would apply to the only case of the project\.\n/,
      );
      const found = await report(project);
      assert.deepEqual(found.suggestion?.rules, [
        { type: 'ignore', path: 'response.content' },
        { type: 'ignore', path: 'output_text' },
      ]);
      await paste(project, found);
      assert.equal((await report(project)).stable, true);
      await tapedeck(project, 'run', 'a.toml', '--record', '--update-baselines');
      const again = await tapedeck(project, 'run', 'a.toml', '--record');
      assert.equal(again.code, 0, again.stdout);
      assert.match(again.stdout, /2 assertions/, 'the assertions are judged');
      const checked = await tapedeck(project, 'check');
      assert.deepEqual(
        [checked.code, /ignored/.test(checked.stdout)],
        [0, true],
        'so does the tape, with the take before',
      );
    });
  });

  it('adds to the rules and assertions that are there', async () => {
    const say = (round: number) => ({
      content: `${PHRASES[round % 4]}Job build-${round} of 2026-04-0${round % 9} is done`,
    });
    await withUpstream(say, async (project, baseUrl) => {
      await project.write(
        'tapedeck.toml',
        '[normalise]\npresets = ["uuid", "provider-id"]\n[[normalise.patterns]]\nname = "build"\npattern = "build-[0-9]+"\n',
      );
      await project.write('a.toml', caseAt(baseUrl, ASSERTS));
      const found = await report(project);
      assert.deepEqual(
        found.suggestion?.snippets.map(({ file, how, table }) => [file, how, table]),
        [['case', 'add', 'normalise']],
        'an assertion about the tool is there, and the words that all have in common are too few',
      );
      assert.doesNotMatch(found.suggestion?.snippets[0]?.toml ?? '', /presets|build/, 'what the project has, it has');
      const { snippet, cases } = found.suggestion?.everywhere ?? {};
      assert.deepEqual([snippet?.file, snippet?.how, snippet?.table, cases], ['project', 'replace', 'normalise', 1]);
      assert.match(snippet?.toml ?? '', /presets = \["uuid", "provider-id"[\s\S]*build-\[0-9\]\+/);
      await paste(project, found);
      assert.equal((await report(project)).stable, true);
    });
  });

  it('adds to the rules that the case has', async () => {
    const say = (round: number) => ({ content: `${PHRASES[round % 4]}Job build-${round} is done`, tokens: 10 + round });
    await withUpstream(say, async (project, baseUrl) => {
      const own = '[normalise]\npresets = ["date"]\n[[normalise.patterns]]\nname = "build"\npattern = "build-[0-9]+"\n';
      await project.write('a.toml', caseAt(baseUrl, ASSERTS + own));
      const found = await report(project);
      const [snippet] = found.suggestion?.snippets ?? [];
      assert.deepEqual([snippet?.file, snippet?.how, snippet?.table], ['case', 'replace', 'normalise']);
      assert.match(snippet?.toml ?? '', /presets = \["date"\]\nignore = \[[\s\S]*build-\[0-9\]\+/);
      assert.doesNotMatch(found.suggestion?.everywhere?.snippet.toml ?? '', /build/, 'they stay the case’s own');
      await paste(project, found);
      assert.equal((await report(project)).stable, true);
    });
  });

  it('proposes for the case alone, and says how many the project’s rules would touch; another case is not blinded', async () => {
    const practice = (name: string) =>
      `name = "${name}"\nprompt = "hi ${name}"\n[llm]\ntape = "${name}.tape.json"\n[llm.provider]\nkind = "practice"\n`;
    await inProject({ 'tapedeck.toml': '', 'a.toml': practice('a'), 'b.toml': practice('b') }, async (project) => {
      await tapedeck(project, 'run', '.', '--record', '--update-baselines');
      const found = await report(project);
      assert.ok(found.suggestion?.rules.some(({ type }) => type === 'ignore'));
      assert.ok(found.suggestion?.snippets.every(({ file }) => file === 'case'));
      assert.equal(found.suggestion?.everywhere?.cases, 2);
      await paste(project, found);
      assert.equal(await project.read('tapedeck.toml'), '');
      const nonsense = async (name: string) => {
        const text = await project.read(`${name}.tape.json`);
        await project.write(`${name}.tape.json`, text.replace(/("response": ?")[^"]*"/, '$1Buy shares."'));
        return (await tapedeck(project, 'run', `${name}.toml`)).stdout;
      };
      assert.match(await nonsense('b'), /Output differs from the baseline/, 'the other case sees its change');
      assert.doesNotMatch(await nonsense('a'), /Output differs/, 'what the case ignores, it ignores');
    });
  });

  it('proposes for the project where a case can have no rules, with the number of cases', async () => {
    const scenario =
      'agent_id: p\nturns:\n  - user: hi\n    expect:\n      - kind: respond_containing\n        text: hi\n';
    const files = { 'tapedeck.toml': '[provider]\nkind = "practice"\n', 'scenarios/a.yaml': scenario };
    await inProject({ ...files, 's.toml': scripted('s', ['x']) }, async (project) => {
      const text = await tapedeck(project, 'stability', 'scenarios/a.yaml', '-n', '3');
      assert.match(
        text.stdout,
        /Add to tapedeck\.toml, for all 2 cases of the project:\n\n {2}\[normalise\]\n/,
        text.stderr,
      );
      assert.doesNotMatch(text.stdout, /would hold/);
      const json = JSON.parse((await tapedeck(project, 'stability', 'scenarios/a.yaml', '-n', '3', '--json')).stdout);
      assert.deepEqual([json.suggestion.snippets, json.suggestion.everywhere.cases], [[], 2]);
    });
  });

  it('says that no rule settles what the agent does otherwise', async () => {
    await withUpstream(
      (round) => ({ calls: round % 2 === 0 }),
      async (project) => {
        const found = await report(project);
        assert.equal(found.stable, false);
        assert.ok(found.varying.some(({ structural, differing }) => structural && differing === 2));
        assert.ok((found.suggestion?.left.length ?? 0) > 0);
        const { stdout } = await tapedeck(project, 'stability', 'a.toml', '-n', '2');
        assert.match(stdout, /The agent or its model behaves differently/);
      },
    );
  });

  it('proposes masks for what the agent itself says anew each time', async () => {
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const server = await upstream(() => ({ calls: false }));
      const agent = `const { randomUUID } = require('node:crypto');
fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', user: 'u-' + Math.random(), messages: [{ role: 'user', content: 'Ticket ' + randomUUID() }] }) })
  .then((answer) => answer.json()).then((json) => console.log(json.choices[0].message.content));`;
      await project.write('agent.cjs', agent);
      const head = `name = "own"\nprompt = "hi"\n[agent]\ncommand = ["${process.execPath}", "agent.cjs"]\n`;
      await project.write(
        'a.toml',
        `${head}[llm]\ntape = "own.tape.jsonl"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\n`,
      );
      try {
        const found = await report(project);
        const masks = found.suggestion?.snippets.find(({ table }) => table === 'llm.replay');
        assert.equal(masks?.toml, '[llm.replay]\nmask = ["uuid", "/user"]\n');
        await tapedeck(project, 'run', 'a.toml', '--record');
        assert.equal((await tapedeck(project, 'run', 'a.toml')).code, 4, 'without masks no replay finds its recording');
        await paste(project, found);
        const replay = await tapedeck(project, 'run', 'a.toml');
        assert.equal(replay.code, 0, replay.stdout);
      } finally {
        await server.close();
      }
    });
  });

  it('varies with the practice model, and tells takes that failed, scripted cases and bad numbers apart', async () => {
    const practice = 'name = "p"\nprompt = "hi"\n[llm]\ntape = "p.tape.json"\n[llm.provider]\nkind = "practice"\n';
    await inProject({ 'tapedeck.toml': '', 'a.toml': practice, 's.toml': scripted('s', ['x']) }, async (project) => {
      const found = await report(project);
      assert.deepEqual([found.stable, found.takes.length], [false, 4]);
      assert.equal(project.has('p.tape.json'), false, 'not even the first take becomes the tape');
      const fixed = await tapedeck(project, 'stability', 's.toml');
      assert.equal(fixed.code, 2);
      assert.match(fixed.stderr, /its responses are in the case/);
      assert.equal((await tapedeck(project, 'stability', 'a.toml', '-n', '1')).code, 2);
      assert.equal((await tapedeck(project, 'stability', 'a.toml', '-n', 'x')).code, 2);
      await project.write('a.toml', caseAt('http://127.0.0.1:9/v1'));
      const unreachable = await tapedeck(project, 'stability', 'a.toml', '-n', '2');
      assert.equal(unreachable.code, 3);
      assert.match(unreachable.stdout, /take 1 failed: .*\n {2}take 2 failed/);
    });
  });
});
