import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { checkagentFormat } from '../../../src/core/tapes/formats/checkagent/index';
import { listCases } from '../../../src/engine/agentTools/tools';
import { createRecorders } from '../../../src/engine/recording/openRecorder';
import { scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { inRepository, OLD } from '../../harness/repository';

const call: RecordedInteraction = {
  kind: 'llm',
  request: { model: 'm', messages: [{ role: 'user', content: 'Where is it?', toolCalls: [] }], tools: [], params: {} },
  response: { content: 'On its way.', toolCalls: [] },
};
const CASSETTE = checkagentFormat.serialise('test_order', [call]);
const SESSION = 'id: s1\ninput: hello\ncontract: default\n';
const cassette = (name: string): string => `tests/cassettes/test_a/${name}.json`;

const FILES = {
  'tapedeck.toml': '[provider]\nkind = "practice"\n',
  [cassette('test_one')]: CASSETTE,
  [cassette('test_two')]: CASSETTE,
  'replays/s1.yaml': SESSION,
  'data/s2.yaml': SESSION,
  'data/greeting.toml': scripted('greeting', ['hello']),
  'tapes/named.json': OLD,
  'data/kept.yaml': 'some: settings\n',
};

/** What can happen to a file so that nothing of it is left. */
const LOSSES: Record<string, (text: string) => string> = {
  emptied: () => '',
  'left with a blank line': () => '\n',
  'cut off after a few bytes': (text) => text.slice(0, 6),
  'replaced by an empty document': () => '{}\n',
};

async function results(project: TestProject, ...paths: string[]) {
  const { code, stdout } = await tapedeck(project, 'run', '--reporter', 'json', ...paths);
  const { results } = JSON.parse(stdout) as {
    results: { casePath: string; status: string; failures: { message: string }[] }[];
  };
  const found = results.map(({ casePath, status, failures }) => ({
    path: casePath.replace(`${project.root}/`, ''),
    status,
    message: failures[0]?.message,
  }));
  return { code, found };
}

describe('a case that was emptied or cut off', function () {
  this.timeout(60_000);

  for (const [loss, damage] of Object.entries(LOSSES)) {
    for (const path of [cassette('test_two'), 'replays/s1.yaml', 'data/s2.yaml', 'data/greeting.toml']) {
      it(`${path}, ${loss}, fails and is counted`, () =>
        inRepository(FILES, async (project) => {
          const text = await project.read(path);
          const before = await results(project);
          await project.write(path, damage(text));
          const after = await results(project);
          assert.deepEqual(after.found.map((one) => one.path).sort(), before.found.map((one) => one.path).sort());
          assert.equal(after.found.find((one) => one.path === path)?.status, 'failed');
          assert.notEqual(after.code, 0);
          const recorder = await createRecorders(process.env)(project.root);
          assert.ok((await listCases(project.root, recorder)).includes(`"case": "${path}"`));
        }));
    }
  }

  it('fails without a repository, where only cases lie', () =>
    inRepository(FILES, async (project) => {
      await rm(project.path('.git'), { recursive: true });
      await project.write(cassette('test_two'), '');
      const { found } = await results(project, 'tests');
      assert.deepEqual(
        found.map(({ path, status }) => [path, status]),
        [
          [cassette('test_one'), 'passed'],
          [cassette('test_two'), 'failed'],
        ],
      );
      assert.match(found[1]?.message ?? '', /: the file is empty; in its place, it should be a CheckAgent cassette$/);
    }));

  it('says what is wrong when it is named, in the syntax of its file', () =>
    inRepository(FILES, async (project) => {
      await project.write('data/s2.yaml', 'id: [\n');
      await project.write(cassette('test_two'), '');
      await project.write('data/kept.json', '{"a": 1}');
      const { found } = await results(project, 'data/s2.yaml', cassette('test_two'), 'data/kept.json');
      assert.match(found[0]?.message ?? '', /^data\/s2\.yaml:2:1: invalid YAML: /);
      assert.match(found[1]?.message ?? '', /: the file is empty/);
      assert.equal(found[2]?.message, 'data/kept.json is not a case of a known kind');
    }));
});

describe('a tape that was emptied or overwritten', function () {
  this.timeout(60_000);

  const verified = async (project: TestProject) => {
    const { stdout, code } = await tapedeck(project, 'verify', '--json');
    const { tapes } = JSON.parse(stdout) as {
      tapes: { path: string; problems: { rule: string; message: string }[] }[];
    };
    return {
      code,
      rules: Object.fromEntries(tapes.map(({ path, problems }) => [path, problems.map(({ rule }) => rule)])),
    };
  };

  it('is a problem for verify: by the last commit, by its case, and by its name', () =>
    inRepository(
      { ...FILES, 'data/tape.json': OLD, 'data/case.toml': 'name = "a"\nprompt = "p"\n[llm]\ntape = "late.json"\n' },
      async (project) => {
        await project.write('data/tape.json', '{"other": "content"}');
        await project.write('data/s2.yaml', '');
        await project.write('data/late.json', '');
        await project.write('data/new.tape.jsonl', '');
        const { rules, code } = await verified(project);
        assert.equal(code, 1);
        assert.deepEqual(
          ['data/tape.json', 'data/s2.yaml', 'data/late.json', 'data/new.tape.jsonl', 'data/kept.yaml'].map(
            (path) => rules[path],
          ),
          [['unreadable'], ['unreadable'], ['empty'], ['empty'], undefined],
        );
      },
    ));
});
