import assert from 'node:assert/strict';
import { scripted, type TestProject, taped } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

const SHARDS = 5;
const FLAKESTORM = `version: "1.0"
agent: {endpoint: "http://127.0.0.1:9/x", type: http}
golden_prompts: ["hi"]
invariants: [{type: contains, value: hello}]
replays:
  sessions:
    - {id: b, input: hi}
    - {id: a, input: hello}
`;

/** Twenty cases in folders, of which some fail, cannot be read, or have no tape. */
const CASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => {
      const assertion = `[assert]\ncontains = ${index % 4 === 0 ? '"no <such>\\nword & \\u0007"' : '"hello"'}\n`;
      return [`cases/${index % 3 === 0 ? 'deep/' : ''}c${index}.toml`, scripted(`c${index}`, ['hello'], assertion)];
    }),
  ),
  'cases/deep.toml': scripted('deep', ['hello']),
  'cases/none.toml': taped('none', 'none.tape.json'),
  'storm/flakestorm.yaml': FLAKESTORM,
};

const TIMES = { long: 9000, a: 3000, b: 3000, c: 3000 };

/** A tape whose response took so many milliseconds. */
function timedTape(ms: number, content = 'hello'): string {
  const url = 'https://api.openai.com/v1/chat/completions';
  const lines = [
    { tapedeck: 'tape', version: 1 },
    { request: 0, method: 'POST', url, json: { model: 'm', messages: [] } },
    { response: 0, ms, status: 200, json: { choices: [{ message: { role: 'assistant', content } }] } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The report of each shard, and of all in one, with times left out. */
async function reports(project: TestProject, args: readonly string[], extension: string) {
  const whole = await tapedeck(project, ...args);
  const files: string[] = [];
  for (let index = 1; index <= SHARDS; index += 1) {
    const { stdout } = await tapedeck(project, ...args, '--shard', `${index}/${SHARDS}`);
    files.push(`out/${index}.${extension}`);
    await project.write(`out/${index}.${extension}`, stdout);
  }
  const merged = await tapedeck(project, 'merge', ...files.reverse());
  return { whole, merged };
}

const untimed = (text: string): string =>
  text.replace(/"(?:durationMs|startedAtMs)": \d+/g, '"durationMs": 0').replace(/ time="[\d.]+"/g, ' time="0"');

describe('shards', function () {
  this.timeout(120_000);

  it('of `run` are balanced by the times on the tapes, which every machine has', async () => {
    const files = Object.entries(TIMES).flatMap(([name, ms]) => [
      [`${name}.toml`, taped(name, `${name}.tape.jsonl`)],
      [`${name}.tape.jsonl`, timedTape(ms)],
    ]);
    await inRepository(Object.fromEntries(files), async (project) => {
      const namesOf = async (shard: string) => {
        const { stdout, stderr } = await tapedeck(project, 'run', '--json', '--shard', shard);
        const { results } = JSON.parse(stdout) as { results: readonly { readonly name: string }[] };
        assert.match(stderr, new RegExp(`shard ${shard}: ${results.length} of 4 cases`));
        return results.map(({ name }) => name).sort();
      };
      assert.deepEqual([await namesOf('1/2'), await namesOf('2/2')], [['long'], ['a', 'b', 'c']]);
    });
  });

  it('of `trial` are balanced by the times on the tapes', async () => {
    const provider = '[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n';
    const files = Object.entries(TIMES).flatMap(([name, ms]) => [
      [`${name}.toml`, `${taped(name, `${name}.tape.jsonl`)}${provider}`],
      [`${name}.tape.jsonl`, timedTape(ms)],
    ]);
    await inRepository(Object.fromEntries(files), async (project) => {
      const countOf = async (shard: string) => {
        const args = ['trial', '.', '--model', 'x', '-n', '1', '--dry-run', '--shard', shard];
        return /shard \d\/2: (\d) of 4 cases/.exec((await tapedeck(project, ...args)).stderr)?.[1];
      };
      assert.deepEqual([await countOf('1/2'), await countOf('2/2')], ['1', '3']);
    });
  });

  it('of `check` are balanced by the times on the tapes, and keep a baseline with the run of its case', async () => {
    const files = Object.entries(TIMES).map(([name, ms]) => [`${name}.tape.jsonl`, timedTape(ms)]);
    const names = Array.from({ length: 8 }, (_, index) => `cases/d${index}`);
    const cases = names.map((name) => [`${name}.toml`, scripted(name, ['hello'])]);
    await inRepository(Object.fromEntries([...files, ...cases]), async (project) => {
      await tapedeck(project, 'run', 'cases', '--update-baselines');
      for (const name of names) await tapedeck(project, 'accept', `${name}.toml`);
      for (const name of names) await project.write(`${name}.toml`, scripted(name, ['goodbye']));
      await tapedeck(project, 'run', 'cases');
      const pathsOf = async (shard: string) => {
        const { stdout } = await tapedeck(project, 'check', '--json', '--shard', shard);
        return (JSON.parse(stdout) as { files: readonly { readonly path: string }[] }).files.map(({ path }) => path);
      };
      const both = [await pathsOf('1/2'), await pathsOf('2/2')];
      for (const name of names)
        assert.equal(
          both.filter((paths) => paths.includes(`${name}.toml`) && paths.includes(`${name}.baseline.json`)).length,
          1,
          `${name}: ${JSON.stringify(both)}`,
        );
      for (const [name, ms] of Object.entries(TIMES))
        await project.write(`${name}.tape.jsonl`, timedTape(ms, 'goodbye'));
      for (const name of names) await project.write(`${name}.toml`, scripted(name, ['hello']));
      await tapedeck(project, 'run', 'cases', '--update-baselines');
      git(project, 'add', 'cases');
      git(project, 'commit', '-q', '-m', 'baselines');
      assert.deepEqual(
        [await pathsOf('1/2'), await pathsOf('2/2')],
        [['long.tape.jsonl'], ['a.tape.jsonl', 'b.tape.jsonl', 'c.tape.jsonl']],
      );
    });
  });

  it('of `run` merged equal one run, in JSON, JUnit, and Markdown, with its exit code', async () => {
    await inRepository(CASES, async (project) => {
      for (const [reporter, extension] of [
        ['json', 'json'],
        ['junit', 'xml'],
        ['markdown', 'md'],
      ] as const) {
        const { whole, merged } = await reports(project, ['run', '--reporter', reporter], extension);
        assert.equal(untimed(merged.stdout), untimed(whole.stdout));
        assert.equal(merged.stderr, '');
        assert.equal(merged.code, reporter === 'json' ? whole.code : 1);
      }
      const { stderr } = await tapedeck(project, 'run', '--shard', `2/${SHARDS}`, 'cases');
      assert.match(stderr, /^tapedeck: shard 2\/5: \d+ of 22 cases\n/);
    });
  });

  it('of `check` merged equal one check, in JSON, JUnit, and Markdown', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `tapes/${'*a|b#_'.charAt(index % 6)}${index}.tape.json`);
    await inRepository(Object.fromEntries(names.map((name) => [name, OLD])), async (project) => {
      for (const name of names) await project.write(name, NEW);
      await tapedeck(project, 'accept', names[0] ?? '');
      for (const [reporter, extension] of [
        ['json', 'json'],
        ['junit', 'xml'],
        ['markdown', 'md'],
      ] as const) {
        const { whole, merged } = await reports(project, ['check', '--reporter', reporter], extension);
        assert.equal(merged.stdout, whole.stdout);
        assert.deepEqual([whole.code, merged.code], [1, 1]);
      }
    });
  });

  it('without a file in them pass, and what cannot be merged is refused', async () => {
    await inRepository({ 'a.toml': scripted('a', ['x']), 'a.tape.json': OLD }, async (project) => {
      await project.write('calm.md', (await tapedeck(project, 'check', '--reporter', 'markdown')).stdout);
      const { code, stdout } = await tapedeck(project, 'run', '--json', '--shard', '2/2');
      assert.deepEqual([code, JSON.parse(stdout).summary.total], [0, 0]);
      const run = await tapedeck(project, 'run', '--json');
      await project.write('run.json', run.stdout);
      await project.write('empty.json', stdout);
      await project.write('check.json', (await tapedeck(project, 'check', '--json')).stdout);
      await project.write('first.json', (await tapedeck(project, 'run', '--json', '--shard', '1/2')).stdout);
      const both = await tapedeck(project, 'merge', 'first.json', 'empty.json');
      assert.equal(untimed(both.stdout), untimed(run.stdout));
      const calm = await tapedeck(project, 'merge', 'calm.md', 'calm.md');
      assert.deepEqual([calm.code, calm.stdout], [0, await project.read('calm.md')]);
      const refused = async (...files: string[]) => (await tapedeck(project, 'merge', ...files)).stderr.split('\n')[0];
      assert.equal(await refused('empty.json'), 'tapedeck: there is no report of shard 1/2 among these');
      assert.equal(await refused('run.json', 'run.json'), 'tapedeck: a.toml is in several of these reports');
      assert.equal(
        await refused('run.json', 'check.json'),
        'tapedeck: run.json, check.json are reports of several kinds',
      );
      assert.equal(await refused('a.toml'), 'tapedeck: a.toml is not a report of `run`, `check` or `trial`');
      assert.equal(
        await refused('calm.md', '--json'),
        'tapedeck: calm.md is not a report of `run`, `check` or `trial`',
      );
    });
  });
});
