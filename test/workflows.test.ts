import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** What GitHub knows at each place of a workflow, as the schema of SchemaStore (`github-workflow.json`) has it. */
const KEYS = {
  workflow: ['name', 'run-name', 'on', 'permissions', 'env', 'defaults', 'concurrency', 'jobs'],
  job: [
    ...['name', 'permissions', 'needs', 'runs-on', 'environment', 'outputs', 'env', 'defaults', 'if', 'steps'],
    ...['timeout-minutes', 'strategy', 'continue-on-error', 'container', 'services', 'concurrency'],
  ],
  step: [
    'id',
    'if',
    'name',
    'uses',
    'run',
    'working-directory',
    'shell',
    'with',
    'env',
    'continue-on-error',
    'timeout-minutes',
  ],
  strategy: ['matrix', 'fail-fast', 'max-parallel'],
};
const EVENTS = ['push', 'pull_request', 'workflow_dispatch', 'schedule', 'merge_group'];
const RUNNERS = /^(?:ubuntu|windows|macos)-(?:latest|\d+(?:\.\d+)?)$/;
const EXPRESSION = /\$\{\{\s*([\w.-]+)\s*\}\}/g;

type Fields = Readonly<Record<string, unknown>>;

const project = resolve(__dirname, '..');
const folder = join(project, '.github/workflows');
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function assertKeys(value: unknown, known: readonly string[], place: string): Fields {
  const fields = fieldsOf(value);
  for (const key of Object.keys(fields)) assert.ok(known.includes(key), `${place}: ${key} is not known`);
  return fields;
}

/** The programs of a project that a line of a workflow starts: the script of npm, suites of `npm test`, a file of Node. */
function assertRuns(line: string, place: string): void {
  const scripts = Object.keys(
    fieldsOf(fieldsOf(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))).scripts),
  );
  const [, script] = /\bnpm run ([\w:]+)/.exec(line) ?? [];
  if (script !== undefined) assert.ok(scripts.includes(script), `${place}: there is no script ${script}`);
  const [, suites] = /\bnpm test -- (.+)$/.exec(line) ?? [];
  const known = readFileSync(join(project, 'test/run.mjs'), 'utf8');
  for (const suite of suites?.split(' ').filter((word) => !word.startsWith('--')) ?? [])
    assert.match(known, new RegExp(`^  ${suite}: \\{ command`, 'm'), `${place}: there is no suite ${suite}`);
  const [, file] = /\bnode (\S+\.mjs)/.exec(line) ?? [];
  if (file !== undefined) assert.ok(existsSync(join(project, file)), `${place}: there is no ${file}`);
}

describe('workflows of GitHub', () => {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const workflow = assertKeys(parse(text), KEYS.workflow, file);
    const jobs = Object.entries(fieldsOf(workflow.jobs));

    it(`${file} has what its schema allows, and asks for no more than reading`, () => {
      assert.match(file, /\.ya?ml$/);
      for (const event of Object.keys(fieldsOf(workflow.on))) assert.ok(EVENTS.includes(event), event);
      assert.deepEqual(workflow.permissions, { contents: 'read' });
      assert.ok(jobs.length > 0);
      for (const [id, value] of jobs) {
        const place = `${file}: ${id}`;
        assert.match(id, /^[A-Za-z_][\w-]*$/);
        const { strategy, steps, ...job } = assertKeys(value, KEYS.job, place);
        const { matrix } = assertKeys(strategy, KEYS.strategy, place);
        for (const [name, values] of Object.entries(fieldsOf(matrix))) assert.ok(listOf(values).length > 0, name);
        for (const runner of /matrix\.os/.test(`${job['runs-on']}`) ? listOf(fieldsOf(matrix).os) : [job['runs-on']])
          assert.match(`${runner}`, RUNNERS, place);
        assert.ok(Number(job['timeout-minutes']) > 0, `${place} has a limit`);
        assert.ok(listOf(steps).length > 0, place);
        for (const one of listOf(steps)) {
          const { uses, run } = assertKeys(one, KEYS.step, place);
          assert.notEqual(uses === undefined, run === undefined, `${place}: a step uses or runs`);
          if (typeof uses === 'string') assert.match(uses, /^actions\/[\w-]+@v\d+$/, place);
          for (const line of typeof run === 'string' ? run.split('\n') : []) assertRuns(line, place);
        }
        for (const [, expression = ''] of JSON.stringify(value).matchAll(EXPRESSION)) {
          const [root, name = ''] = expression.split('.');
          assert.ok(root === 'matrix' ? name in fieldsOf(matrix) : root === 'github', `${place}: ${expression}`);
        }
      }
    });

    it(`${file} names no host, and no secret`, () => {
      assert.doesNotMatch(text, /https?:|registry|secrets\./);
    });
  }

  it('try each system with each Node, and with the oldest and the newest VS Code', () => {
    const { jobs } = fieldsOf(parse(readFileSync(join(folder, 'ci.yml'), 'utf8')));
    const matrixOf = (job: string) => fieldsOf(fieldsOf(fieldsOf(fieldsOf(jobs)[job]).strategy).matrix);
    const systems = ['ubuntu-latest', 'windows-latest', 'macos-latest'];
    assert.deepEqual(matrixOf('test'), { os: systems, node: [20, 22, 24] });
    assert.deepEqual(matrixOf('vscode'), { os: systems, vscode: ['oldest', 'newest'] });
  });
});
