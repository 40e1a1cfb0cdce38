import assert from 'node:assert/strict';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { checkagentFormat } from '../../../src/core/tapes/formats/checkagent/index';
import { loaderFormat } from '../../../src/core/tapes/formats/loader/index';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { inProject, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const llm: RecordedInteraction = {
  kind: 'llm',
  request: { model: 'm', messages: [{ role: 'user', content: 'Where is it?', toolCalls: [] }], tools: [], params: {} },
  response: { content: 'On its way, says the source.', toolCalls: [] },
};
/** A tape that its own recorder served by position. */
const PRACTICE = { 'tapedeck.toml': '[provider]\nkind = "practice"\n[replay]\non_drift = "warn"\n' };

/** One small project for each seed system: its case, and the tape that belongs to it. */
interface Seed {
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly tape: string;
  /** What Re-record does: a new take, or why there is none to make. */
  readonly records: 'a new take' | RegExp;
  /** Changes what is replayed, so that there is something to review. */
  readonly change: (project: TestProject) => Promise<void>;
}

const changed = (path: string) => async (project: TestProject) => {
  await project.write(path, (await project.read(path)).replaceAll('On its way', 'Late'));
};

const SEEDS: Record<string, Seed> = {
  MoFA: {
    files: {
      ...PRACTICE,
      'a.toml': 'name = "a"\nprompt = "Where is it?"\n[llm]\ntape = "a.tape.json"\n[assert]\ncontains = "source"\n',
      'a.tape.json': mofaFormat.serialise('a', [llm]),
    },
    path: 'a.toml',
    tape: 'a.tape.json',
    records: 'a new take',
    change: changed('a.tape.json'),
  },
  CheckAgent: {
    files: { 'tests/cassettes/test_a/test_order.json': checkagentFormat.serialise('test_order', [llm]) },
    path: 'tests/cassettes/test_a/test_order.json',
    tape: 'tests/cassettes/test_a/test_order.json',
    records: /CheckAgent records if there is no cassette/,
    change: async (project) => {
      const other = { ...llm, response: { content: 'Late.', toolCalls: [] } };
      await project.write('tests/cassettes/test_a/test_order.json', checkagentFormat.serialise('test_order', [other]));
    },
  },
  Reyn: {
    files: { 'tests/fixtures/llm/a.jsonl': reynFormat.serialise('a', [llm]) },
    path: 'tests/fixtures/llm/a.jsonl',
    tape: 'tests/fixtures/llm/a.jsonl',
    records: /REYN_LLM_RECORD=1/,
    change: changed('tests/fixtures/llm/a.jsonl'),
  },
  Flakestorm: {
    files: {
      ...PRACTICE,
      'replays/a.yaml': 'id: a\ninput: "Where is it?"\ncontract: c.yaml\n',
      'replays/c.yaml': 'name: c\ninvariants:\n  - {id: full, type: output_not_empty}\n',
      'replays/a.tape.json': mofaFormat.serialise('a', [llm]),
    },
    path: 'replays/a.yaml',
    tape: 'replays/a.yaml',
    records: 'a new take',
    change: changed('replays/a.tape.json'),
  },
  Loader: {
    files: { 'a.scenario.json': loaderFormat.serialise('a', [llm]) },
    path: 'a.scenario.json',
    tape: 'a.scenario.json',
    records: 'a new take',
    change: changed('a.scenario.json'),
  },
};

describe('the seed systems', function () {
  this.timeout(60_000);

  for (const [system, seed] of Object.entries(SEEDS)) {
    describe(system, () => {
      const inSeed = (test: (project: TestProject) => Promise<void>) => inProject(seed.files, test);
      const run = async (project: TestProject, ...args: string[]) => {
        const { stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json', ...args);
        assert.ok(stdout.startsWith('{'), stderr);
        return JSON.parse(stdout).results;
      };

      it('browse: its case is found in a folder', async () => {
        await inSeed(async (project) => {
          const found = (await run(project)).map(({ casePath }: { casePath: string }) => casePath);
          assert.deepEqual(found, [seed.path]);
        });
      });

      it('inspect: its recording is a transcript', async () => {
        await inSeed(async (project) => {
          const { code, stdout } = await tapedeck(project, 'inspect', seed.tape);
          assert.equal(code, 0);
          assert.match(stdout, /Where is it\?/);
        });
      });

      it('replay: its case runs offline', async () => {
        await inSeed(async (project) => {
          const [result] = await run(project, seed.path);
          assert.deepEqual([result.status, result.outputText], ['passed', 'On its way, says the source.']);
        });
      });

      it('re-record: a new take, or the way to one', async () => {
        await inSeed(async (project) => {
          const [result] = await run(project, '--record', seed.path);
          if (seed.records !== 'a new take') assert.match(JSON.stringify(result.failures), seed.records);
          else if (system === 'Loader') assert.equal(result.mode, 'scripted', 'its script is written, not recorded');
          else assert.equal(result.recording.interactions, 1);
        });
      });

      it('verify: what is wrong with its files is found', async () => {
        await inSeed(async (project) => {
          assert.equal((await tapedeck(project, 'verify', '.')).code, 0);
          const leak = (await project.read(seed.tape)).replace('Where is it?', `key ${SECRET}`);
          await project.write(seed.tape, leak);
          assert.equal((await tapedeck(project, 'verify', '.')).code, 1);
        });
      });

      it('review: a change against the accepted run is found, and can be accepted', async () => {
        await inSeed(async (project) => {
          await run(project, '--update-baselines', seed.path);
          await seed.change(project);
          const [differs] = await run(project, seed.path);
          assert.equal(differs.failures.at(-1).kind, 'difference');
          assert.equal((await tapedeck(project, 'accept', seed.path)).code, 0);
          assert.equal((await run(project, seed.path))[0].status, 'passed');
        });
      });
    });
  }
});

/** Looks like a key, and is none. */
const SECRET = ['sk', 'proj', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy1234'].join('-');
