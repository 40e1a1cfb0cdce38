import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { AdoptedTrial } from '../../../src/contracts/engine/trials';
import type { Trial } from '../../../src/core/model/trial';
import { buildEngine, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository } from '../../harness/repository';
import { type ReceivedRequest, sendJson, serve } from '../../harness/support';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

const caseAt = (name: string, baseUrl: string, more = ''): string => `name = "${name}"
prompt = "Where is the parcel of ${name}?"
${more}[llm]
tape = "${name}.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
model = "base"
[assert]
contains = "Thursday"
`;

interface Asked {
  readonly model: string;
  readonly prompt: string;
}

/** The model calls the tool first. */
const CALLS = 'It arrives on Thursday, as the tool says.';

/** What a model says to the prompt of a case; `count` is how often it was asked before, from 0. */
type Say = (asked: Asked, count: number) => string | number;

interface Shop {
  readonly project: TestProject;
  readonly asked: Asked[];
  readonly baseUrl: string;
  trial(...args: string[]): Promise<{ readonly trial: Trial; readonly code: number | null }>;
}

/** A repository of recorded cases, at a provider that answers as the test says: with a text, or with a status. */
async function inShop(
  say: Say,
  cases: (baseUrl: string) => Readonly<Record<string, string>>,
  test: (shop: Shop) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const server = await serve((response: ServerResponse, { body }: ReceivedRequest) => {
    const { model, messages } = JSON.parse(body) as { model: string; messages: { role: string; content: string }[] };
    const prompt = messages.find(({ role }) => role === 'user')?.content ?? '';
    const count = asked.filter((one) => one.model === model && one.prompt === prompt).length;
    asked.push({ model, prompt });
    const said = model === 'base' ? 'It arrives on Thursday.' : say({ model, prompt }, count);
    if (typeof said === 'number') return sendJson(response, said, { error: { message: 'this model refuses' } });
    if (said === CALLS && !messages.some(({ role }) => role === 'tool')) {
      const call = { id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '{}' } };
      return sendJson(response, 200, {
        model,
        choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] } }],
      });
    }
    const usage = { prompt_tokens: 100, completion_tokens: 10 * (count + 1), total_tokens: 100 + 10 * (count + 1) };
    sendJson(response, 200, { model, choices: [{ index: 0, message: { role: 'assistant', content: said } }], usage });
  });
  try {
    await inRepository(cases(server.baseUrl), async (project) => {
      const recorded = await tapedeck(project, 'run', '.', '--record');
      assert.equal(recorded.code, 0, recorded.stdout);
      git(project, 'add', '.');
      git(project, 'commit', '-q', '-m', 'recorded');
      asked.length = 0;
      const trial: Shop['trial'] = async (...args) => {
        const { stdout, stderr, code } = await tapedeck(project, 'trial', '.', ...args, '--json');
        assert.notEqual(stdout, '', stderr);
        return { trial: JSON.parse(stdout) as Trial, code };
      };
      await test({ project, asked, baseUrl: server.baseUrl, trial });
    });
  } finally {
    await server.close();
  }
}

const BOTH = ['--model', 'good', '--model', 'bad', '-n', '2'];
const two = (baseUrl: string) => ({ 'a.toml': caseAt('a', baseUrl), 'deep/b.toml': caseAt('b', baseUrl) });

/** `bad` is refused the second time. */
const say: Say = ({ model }, count) => (model === 'good' ? 'On Thursday.' : count === 1 ? 400 : 'No idea.');

/** Every file below a folder. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return names.filter((name) => statSync(name).isFile());
}

describe('a trial', function () {
  this.timeout(120_000);
  before(buildEngine);

  it('tells every assertion that failed', async () => {
    const strict = (baseUrl: string) => ({
      'a.toml': `${caseAt('a', baseUrl)}not_contains = "Friday"\nmax_calls = 3\n`,
    });
    await inShop(
      () => 'On Friday.',
      strict,
      async ({ trial }) => {
        const { trial: ended } = await trial('--model', 'bad', '-n', '1');
        const [cell] = ended.cells;
        assert.match(cell?.samples[0]?.failure ?? '', /Thursday[^;]*; .*`Friday`/);
        const { trial: kept } = await trial('--model', 'bad', '-n', '1');
        assert.deepEqual(kept, ended);
      },
    );
  });

  it('records each case with each model, aside from tapes, and keeps errors as results', async () => {
    await inShop(say, two, async ({ project, asked, trial }) => {
      const first = await trial(...BOTH);
      const grid = first.trial.cells.map(({ casePath, model, summary: { passed, errors, of } }) => {
        return [casePath, model, passed, errors, of];
      });
      assert.deepEqual(grid, [
        ['a.toml', 'good', 2, 0, 2],
        ['a.toml', 'bad', 0, 1, 2],
        ['deep/b.toml', 'good', 2, 0, 2],
        ['deep/b.toml', 'bad', 0, 1, 2],
      ]);
      assert.deepEqual([first.code, first.trial.isComplete, first.trial.baselineModel], [1, true, 'base']);
      const [good] = first.trial.cells;
      assert.deepEqual(good?.summary.tokens, { median: 115, low: 112.5, high: 117.5 });
      assert.equal(good?.samples[0]?.compared?.before, 'a.tape.json');
      assert.equal(good?.samples[0]?.changes, 1, 'the response');
      assert.equal(asked.length, 8);
      assert.equal(git(project, 'status', '--porcelain'), '');
      assert.ok(!project.has('.tapedeck/takes'), 'no tape was replaced');
      const again = await trial(...BOTH);
      assert.deepEqual([again.trial, asked.length], [first.trial, 8]);
      const errors = await trial(...BOTH, '--retry-errors');
      assert.deepEqual([asked.length, errors.trial.cells[1]?.summary.errors], [10, 0]);
    });
  });

  it('records a case that has changed anew, and one that only looks otherwise not', async () => {
    await inShop(say, two, async ({ project, asked, baseUrl, trial }) => {
      await trial('--model', 'good', '-n', '1');
      await project.write('a.toml', `# who asks\n${caseAt('a', baseUrl)}`);
      await trial('--model', 'good', '-n', '1');
      assert.equal(asked.length, 2);
      await project.write('a.toml', caseAt('a', baseUrl).replace('Where', 'When'));
      const { trial: changed } = await trial('--model', 'good', '-n', '1');
      assert.deepEqual([asked.length, asked.at(-1)?.prompt], [3, 'When is the parcel of a?']);
      assert.ok(changed.isComplete);
    });
  });

  it('writes no secret, and does not keep what could not begin', async () => {
    const cases = (baseUrl: string) => ({
      'a.toml': caseAt('a', baseUrl).replace('model =', 'api_key_env = "SHOP_KEY"\nmodel ='),
    });
    await inShop(
      () => `On Thursday, by ${KEY}.`,
      cases,
      async ({ project, trial }) => {
        // What is allowed is kept in a file of the user's, which is not this one's.
        const env = { SHOP_KEY: KEY, XDG_STATE_HOME: project.path('.state') };
        const args = ['trial', '.', '--model', 'good', '-n', '1'];
        const refusedKey = await project.engine([...args, '--json'], env);
        assert.match(
          JSON.parse(refusedKey.stdout).cells[0].samples[0].failure,
          /SHOP_KEY would be sent to 127\.0\.0\.1/,
        );
        const told = await project.engine([...args, '--allow-key', 'SHOP_KEY=127.0.0.1'], env);
        assert.deepEqual([refusedKey.code, told.code], [2, 0], told.stdout);
        assert.match(told.stdout, /^a a\.toml\n {2}good {2}1 of 1 passed {2}/);
        const texts = filesIn(project.path('.tapedeck')).map((path) => readFileSync(path, 'utf8'));
        assert.ok(texts.some((text) => text.includes('On Thursday, by')) && !texts.some((text) => text.includes(KEY)));
        await project.write('a.toml', caseAt('a', 'https://models.invalid/v1'));
        const { trial: refused, code } = await trial('--model', 'good', '-n', '2');
        const [cell] = refused.cells;
        assert.deepEqual(
          cell?.samples.map(({ verdict, artifactPath }) => [verdict, artifactPath]),
          [
            ['error', undefined],
            ['error', undefined],
          ],
        );
        assert.match(cell?.samples[0]?.failure ?? '', /OPENAI_API_KEY/);
        assert.deepEqual([refused.isComplete, code], [false, 1]);
      },
    );
  });

  it('says before what it leaves out, and refuses where nothing is left', async () => {
    const cases = (baseUrl: string) => ({ 'a.toml': caseAt('a', baseUrl), 's.toml': SCRIPTED });
    await inShop(say, cases, async ({ project, asked }) => {
      const dry = await tapedeck(project, 'trial', '.', ...BOTH, '--dry-run');
      assert.deepEqual([dry.code, dry.stdout, asked.length], [0, '', 0]);
      assert.match(
        dry.stderr,
        /4 recordings to make\n {2}good: 2 recordings: 2 live calls; no price for good is known\n/,
      );
      assert.match(dry.stderr, / {2}s is left out: its responses are in the case, so no model is called\.\n/);
      const { code, stderr } = await tapedeck(project, 'trial', 's.toml', '--model', 'good');
      assert.deepEqual([code, /nothing can be tried: s\.toml/.test(stderr)], [2, true]);
    });
  });

  it('of shards merged equals one of all', async () => {
    await inShop(say, two, async ({ project }) => {
      for (const reporter of ['json', 'junit', 'markdown']) {
        const args = ['trial', '.', ...BOTH, '--reporter', reporter];
        for (const index of [1, 2]) {
          const { stdout } = await tapedeck(project, ...args, '--shard', `${index}/2`);
          await project.write(`out/${index}`, stdout);
        }
        const merged = await tapedeck(project, 'merge', 'out/2', 'out/1');
        const whole = await tapedeck(project, ...args);
        assert.deepEqual([merged.stdout, merged.code], [whole.stdout, whole.code], reporter);
      }
    });
  });
});

/** An agent of the user's own, which asks for the model that it is told, or else for its own. */
const agentOf = (model: string): string => `const prompt = process.env.TAPEDECK_PROMPT;
const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
  body: JSON.stringify({ model: ${model}, messages: [{ role: 'user', content: prompt }] }),
});
console.log((await response.json()).choices[0].message.content);
`;

const ownAt = (name: string, agent: string, baseUrl: string): string => `name = "${name}"
prompt = "Where is the parcel of ${name}?"
[agent]
command = ["node", "${agent}"]
[llm]
tape = "${name}.tape.jsonl"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}"
[assert]
contains = "Thursday"
`;

const SCRIPTED = 'name = "s"\nprompt = "hi"\n[llm]\nresponses = ["hello"]\n';

/** Its results are not in the case, so the case does not replay from a recording alone. */
const TOOL = `[[tools]]
name = "lookup"
description = "Looks a parcel up."
schema = { type = "object" }
command = ["node", "-e", "console.log('P-' + process.pid)"]
`;

describe('adopting a model', function () {
  this.timeout(120_000);

  it('makes its recordings the tapes, writes it into the cases, and leaves the rest to the review', async () => {
    await inShop(say, two, async ({ project, asked, trial }) => {
      const before = await project.read('a.tape.json');
      await trial(...BOTH);
      const count = asked.length;
      const { code, stdout } = await tapedeck(project, 'trial', '.', '--adopt', 'good');
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^a\.toml: sample 1 is a\.tape\.json, and the model of the case is changed\n/);
      assert.equal(asked.length, count);
      const names = git(project, 'status', '--porcelain')
        .trim()
        .split('\n')
        .map((line) => line.trim());
      assert.deepEqual(names, ['M a.tape.json', 'M a.toml', 'M deep/b.tape.json', 'M deep/b.toml']);
      assert.match(git(project, 'diff', 'a.toml'), /^-model = "base"\n\+model = "good"$/m);
      const [take = ''] = readdirSync(project.path('.tapedeck/takes/a.tape.json'));
      assert.equal(await project.read(`.tapedeck/takes/a.tape.json/${take}`), before);
      const pending = JSON.parse((await tapedeck(project, 'check', '--json')).stdout);
      assert.deepEqual(
        pending.files.map(({ path }: { path: string }) => path),
        ['a.tape.json', 'deep/b.tape.json'],
      );
      const replayed = await tapedeck(project, 'run', '.');
      assert.equal(replayed.code, 0, replayed.stdout);
      const kept = await trial(...BOTH);
      assert.deepEqual([kept.trial.isComplete, kept.trial.cells[0]?.samples[0]?.changes], [true, 0]);
      await tapedeck(project, 'reject', 'a.tape.json');
      assert.equal(git(project, 'diff', 'a.tape.json'), '');
    });
  });

  it('joins the recordings that a case is judged by', async () => {
    const sampled = (baseUrl: string) => ({ 'a.toml': `${caseAt('a', baseUrl)}samples = 3\npass_rate = 0.6\n` });
    const mostly: Say = (_, count) => (count === 1 ? 'No idea.' : `On Thursday, ${count}.`);
    await inShop(mostly, sampled, async ({ project, asked, trial }) => {
      const { trial: found, code } = await trial('--model', 'good', '-n', '4');
      assert.deepEqual([found.cells[0]?.summary.passRate, found.cells[0]?.needed, code], [0.75, 0.6, 0]);
      const count = asked.length;
      const { stdout } = await tapedeck(project, 'trial', 'a.toml', '--adopt', 'good');
      assert.match(stdout, /^a\.toml: samples 1, 2, 3 are a\.tape\.json/);
      assert.deepEqual(JSON.parse(await project.read('a.tape.json')).interactions.length, 3);
      const replayed = await tapedeck(project, 'run', 'a.toml');
      assert.deepEqual([replayed.code, asked.length], [0, count], replayed.stdout);
    });
  });

  it('of own agents tells them the model, and restores the tape of one that ignores it', async () => {
    const cases = (baseUrl: string) => ({
      'asks.mjs': agentOf("process.env.TAPEDECK_MODEL ?? 'base'"),
      'own.mjs': agentOf("'base'"),
      'a.toml': ownAt('a', 'asks.mjs', baseUrl),
      'b.toml': ownAt('b', 'own.mjs', baseUrl),
    });
    await inShop(
      () => 'On Thursday, by another one.',
      cases,
      async ({ project, asked, trial }) => {
        const { trial: found, code } = await trial('--model', 'good', '-n', '2');
        assert.deepEqual(
          [code, asked.map(({ model }) => model)],
          [0, ['good', 'good', 'good', 'good']],
          JSON.stringify(found.cells),
        );
        const { stdout } = await tapedeck(project, 'trial', '.', '--adopt', 'good', '--json');
        const { adopted, refused } = JSON.parse(stdout) as AdoptedTrial;
        assert.deepEqual(adopted, [{ casePath: 'a.toml', tapePath: 'a.tape.jsonl', samples: [1], wroteModel: true }]);
        assert.match(refused[0]?.reason ?? '', /its tape was restored: .*read the model from TAPEDECK_MODEL/s);
        assert.match(git(project, 'diff', 'a.toml'), /^\+\[agent\.env\]\n\+TAPEDECK_MODEL = "good"$/m);
        assert.equal(git(project, 'diff', '--stat', 'b.toml', 'b.tape.jsonl'), '');
        assert.equal((await tapedeck(project, 'run', 'a.toml')).code, 0);
        assert.equal((await trial('--model', 'good', '-n', '2')).trial.isComplete, true);
        assert.equal(asked.length, 4);
      },
    );
  });

  it('refuses what did not pass, and restores what does not replay', async () => {
    const cases = (baseUrl: string) => ({ 'a.toml': caseAt('a', baseUrl), 't.toml': caseAt('t', baseUrl) });
    const calling: Say = (asked, count) =>
      asked.prompt.endsWith('of t?') && asked.model === 'good' ? CALLS : say(asked, count);
    await inShop(calling, cases, async ({ project, trial }) => {
      const adopt = async (model: string, ...paths: string[]) => {
        const { stdout } = await tapedeck(project, 'trial', ...paths, '--adopt', model, '--json');
        return JSON.parse(stdout) as AdoptedTrial;
      };
      await project.write('t.toml', (await project.read('t.toml')).replace('[llm]', `${TOOL}[llm]`));
      const text = await project.read('t.toml');
      assert.equal((await trial(...BOTH)).trial.cells[2]?.summary.passed, 2);
      const { adopted, refused } = await adopt('bad', 'a.toml');
      assert.deepEqual([adopted, refused[0]?.reason], [[], 'none of its 2 recordings with bad passed']);
      assert.equal((await adopt('other', 'a.toml')).refused[0]?.reason, 'there is no recording of it with other');
      const good = await adopt('good', 'a.toml', 't.toml');
      assert.deepEqual(
        good.adopted.map(({ casePath }) => casePath),
        ['a.toml'],
      );
      assert.match(good.refused[0]?.reason ?? '', /^it does not replay from the recording, so its tape was restored: /);
      assert.equal(git(project, 'diff', '--stat', 't.tape.json'), '');
      assert.equal(await project.read('t.toml'), text);
    });
  });
});
