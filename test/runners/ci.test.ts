import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { buildEngine, type Ended, ended, inProject, scripted, type TestProject } from '../harness/builtEngine';
import { PYTHON_PEERS, pythonWith } from '../harness/peers';
import { git, inRepository, NEW, OLD, weather } from '../harness/repository';

const PROJECT = join(__dirname, '../..');
const TIMEOUT = 400_000;
const SECRET = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

/** The package of the command line, as npm installs a folder: what it has is that of the source. */
function packageIn(folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  const manifest = { name: '@tapedeck/cli', version: '0.0.0', bin: { tapedeck: 'dist/engine.js' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const name of ['dist', 'media', 'l10n']) symlinkSync(join(PROJECT, name), join(folder, name));
  return folder;
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  return ended(spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: 'pipe' }));
}

/** A branch that changes three tapes, one of them under another name, on a main that went on. */
async function inBranch(test: (project: TestProject) => Promise<void>): Promise<void> {
  const files = {
    'a.tape.json': OLD,
    'b.tape.json': OLD,
    'gone.tape.json': OLD,
    'calm.tape.json': OLD,
    'c.toml': scripted('c', ['one']),
  };
  await inRepository(files, async (project) => {
    git(project, 'checkout', '-qb', 'branch');
    await project.write('a.tape.json', NEW);
    await project.write('b.tape.json', weather(`It hails <b>hard</b> @everyone ${SECRET}`));
    git(project, 'rm', '-q', 'gone.tape.json');
    await project.write('new.tape.json', weather('A new one'));
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'branch');
    git(project, 'checkout', '-q', 'main');
    await project.write('calm.tape.json', NEW);
    git(project, 'commit', '-qam', 'main goes on');
    git(project, 'update-ref', 'refs/remotes/origin/main', 'main');
    git(project, 'checkout', '-q', 'branch');
    await test(project);
  });
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Stands in for the API of GitHub or GitLab: it answers as their documentation says, and keeps what it was asked. */
async function withApi(
  answer: (asked: Asked) => readonly [status: number, body?: unknown],
  test: (url: string, asked: Asked[]) => Promise<void>,
): Promise<void> {
  const all: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const asked = {
        method: request.method ?? '',
        path: request.url ?? '',
        body: text === '' ? {} : JSON.parse(text),
      };
      if (asked.method !== 'GET') all.push(asked);
      const [status, body] = answer(asked);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, all);
  } finally {
    server.close();
  }
}

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

type Context = { readonly [name: string]: Context | string | undefined };

/** `${{ inputs.since }}`, and the like. */
function expand(text: string, context: Context): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => {
    const value = path
      .split('.')
      .reduce<Context | string | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), context);
    return typeof value === 'string' ? value : '';
  });
}

function applies({ if: condition }: Step, context: Context): boolean {
  if (condition === undefined) return true;
  const [, left = '', operator, right] = /^(\S+) ([!=]=) '(.*)'$/.exec(condition) ?? [];
  return (expand(`\${{ ${left} }}`, context) === right) === (operator === '==');
}

interface ActionRun {
  readonly code: number;
  readonly printed: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The folder that was kept. */
  readonly artifact: string;
}

interface PullRequest {
  readonly action: string;
  readonly label?: string;
  readonly labels?: readonly string[];
}

/** Runs the steps of the composite action, as a runner of GitHub does. */
async function runAction(
  project: TestProject,
  api: string,
  { action, label, labels = [] }: PullRequest,
  given: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const temp = project.path('.git/runner');
  mkdirSync(temp, { recursive: true });
  const file = (name: string, text = ''): string => {
    writeFileSync(join(temp, name), text);
    return join(temp, name);
  };
  const { inputs, outputs, runs } = parse(
    readFileSync(project.path('.github/actions/tapedeck/action.yml'), 'utf8'),
  ) as Action;
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, one.default ?? '']));
  const head = git(project, 'rev-parse', 'HEAD').trim();
  const event = {
    action,
    ...(label && { label: { name: label } }),
    pull_request: { number: 7, labels: labels.map((name) => ({ name })), head: { sha: head } },
  };
  const environment = {
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: 'someone/agents',
    GITHUB_BASE_REF: 'main',
    GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event)),
    GITHUB_STEP_SUMMARY: file('summary.md'),
    GITHUB_PATH: file('path'),
    RUNNER_TEMP: temp,
  };
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const context = (): Context => ({
    inputs: { ...defaults, token: 'ghs_1', package: packageIn(project.path('.git/package')), ...given },
    runner: { temp },
    steps,
  });
  let printed = '';
  let artifact = '';
  let code = 0;
  for (const step of runs.steps) {
    if (code !== 0 || !applies(step, context())) continue;
    if (step.uses !== undefined) {
      assert.match(step.uses, /^actions\/upload-artifact@/);
      artifact = join(temp, 'tapedeck-review');
      steps[step.id ?? ''] = { outputs: { 'artifact-url': 'https://github.example/artifacts/1' } };
      continue;
    }
    const own = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, text]) => [name, expand(text, context())]),
    );
    const output = file('output');
    const path = [readFileSync(environment.GITHUB_PATH, 'utf8').trim(), process.env.PATH].filter(Boolean).join(':');
    const cwd = project.path(expand(step['working-directory'] ?? '.', context()));
    const script = file('step.sh', step.run);
    const done = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], cwd, {
      ...environment,
      ...own,
      GITHUB_OUTPUT: output,
      PATH: path,
    });
    printed += done.stdout + done.stderr;
    code = done.code ?? 1;
    const lines = readFileSync(output, 'utf8').trim().split('\n').filter(Boolean);
    steps[step.id ?? ''] = { outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) };
  }
  return {
    code,
    printed,
    summary: readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8'),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, expand(value, context())])),
    artifact,
  };
}

describe('reviews of recordings in CI', function () {
  this.timeout(TIMEOUT);
  before(buildEngine);

  describe('on GitHub', () => {
    const LABEL = 'recordings-reviewed';
    const inPullRequest = (test: (project: TestProject) => Promise<void>): Promise<void> =>
      inBranch(async (project) => {
        await project.engine(['init', '--ci', 'github']);
        await test(project);
      });

    interface Comment {
      readonly id: number;
      body: string;
      readonly user: { readonly login: string; readonly type: string };
    }

    /** A pull request with these comments. */
    const github =
      (comments: Comment[]) =>
      (asked: Asked): readonly [number, unknown?] => {
        const { method, path, body } = asked;
        if (path === '/user') return [403, { message: 'Resource not accessible by integration' }];
        if (method === 'GET') return [200, path.endsWith('&page=1') ? comments : []];
        if (method === 'DELETE') return [200, []];
        if (method === 'PATCH') {
          const one = comments.find(({ id }) => path.endsWith(`/issues/comments/${id}`));
          if (one !== undefined) one.body = String(body.body);
          return [one === undefined ? 404 : 200, {}];
        }
        if (path.endsWith('/comments'))
          comments.push({
            id: comments.length + 10,
            body: String(body.body),
            user: { login: 'github-actions[bot]', type: 'Bot' },
          });
        return [201, {}];
      };
    const statuses = (asked: readonly Asked[]): readonly unknown[] =>
      asked.filter(({ path }) => path.includes('/statuses/')).map(({ body }) => body.state);

    it('tells one comment, the files, and a page what changed, and the head that it is to be read', () =>
      inPullRequest(async (project) => {
        const comments: Comment[] = [
          { id: 1, body: '<!-- tapedeck -->\n\nNothing changed, merge it', user: { login: 'mallory', type: 'User' } },
        ];
        await withApi(github(comments), async (api, asked) => {
          const { code, printed, summary, outputs, artifact } = await runAction(project, api, { action: 'opened' });
          assert.equal(code, 0, printed);
          assert.match(
            printed,
            /^::error file=a\.tape\.json,line=\d+,title=[^:]*::Model · interaction 2: .*%0AResponse · interaction 2: rains → snows/m,
          );
          assert.equal(printed.match(/^::error file=/gm)?.length, 3, 'one of them was renamed');
          const [, own] = comments;
          assert.equal(comments.length, 2);
          assert.match(own?.body ?? '', /^<!-- tapedeck -->\n\n### Tapedeck: \d+ pending changes/);
          assert.match(own?.body ?? '', /It rains in Paris today \| It snows in Paris today/);
          assert.match(own?.body ?? '', /\[All texts, as a page\]\(https:\/\/github\.example\/artifacts\/1\)/);
          assert.match(own?.body ?? '', /`recordings-reviewed`/);
          assert.doesNotMatch(own?.body ?? '', /tapedeck accept|@everyone|<b>|calm\.tape\.json/);
          assert.match(comments[0]?.body ?? '', /merge it/, 'of somebody else');
          assert.ok((own?.body ?? '').includes(summary.trim()), 'the summary says the same');
          assert.match(readFileSync(join(artifact, 'review.html'), 'utf8'), /<mark>hails<\/mark>/);
          assert.match(readFileSync(join(artifact, 'run.xml'), 'utf8'), /<testsuite [^>]*tests="1"/);
          for (const text of [printed, summary, own?.body ?? '', readFileSync(join(artifact, 'review.html'), 'utf8')])
            assert.ok(!text.includes(SECRET));
          assert.deepEqual(statuses(asked), ['pending']);
          assert.match(asked.at(-1)?.path ?? '', new RegExp(`/statuses/${git(project, 'rev-parse', 'HEAD').trim()}$`));
          assert.deepEqual([outputs.files, outputs['report-url']], ['3', 'https://github.example/artifacts/1']);
          assert.equal(outputs.pending, '4');
        });
      }));

    it('turns green by the label, until the next push, which takes the label away', () =>
      inPullRequest((project) =>
        withApi(github([]), async (api, asked) => {
          const take = (): readonly Asked[] => asked.splice(0);
          await runAction(project, api, { action: 'opened' });
          take();
          const labelled = { action: 'labeled', label: LABEL, labels: [LABEL] };
          assert.equal((await runAction(project, api, labelled, { 'fail-on': 'pending' })).code, 0);
          const reviewed = take();
          assert.deepEqual(statuses(reviewed), ['success']);
          assert.deepEqual(
            reviewed.map(({ method }) => method),
            ['PATCH', 'POST'],
            'one comment',
          );
          await project.write('a.tape.json', weather('It burns'));
          git(project, 'commit', '-qam', 'after the review');
          const pushed = await runAction(
            project,
            api,
            { action: 'synchronize', labels: [LABEL] },
            { 'fail-on': 'response' },
          );
          assert.equal(pushed.code, 1, 'a response changed');
          const after = take();
          assert.deepEqual(statuses(after), ['pending']);
          assert.equal(after[0]?.method, 'DELETE');
          assert.match(after[0]?.path ?? '', /\/issues\/7\/labels\/recordings-reviewed$/);
          const another = await runAction(project, api, { action: 'labeled', label: 'bug', labels: [LABEL, 'bug'] });
          assert.equal(another.code, 0);
          assert.deepEqual(statuses(take()), ['pending'], 'another label');
        }),
      ));

    it('says in the summary what a fork may not say, and nothing of a branch without a change', () =>
      inPullRequest(async (project) => {
        await withApi(
          ({ method }) => (method === 'GET' ? [200, []] : [403, {}]),
          async (api) => {
            const { code, printed, summary } = await runAction(project, api, { action: 'opened' });
            assert.equal(code, 0, printed);
            assert.match(printed, /::notice::Tapedeck: POST issues\/7\/comments was refused \(403\)/);
            assert.match(summary, /It snows/);
          },
        );
        git(project, 'reset', '-q', '--hard', 'origin/main');
        await project.engine(['init', '--ci', 'github']);
        await withApi(github([]), async (api, asked) => {
          const { code, outputs } = await runAction(project, api, { action: 'opened' });
          assert.deepEqual([code, outputs.pending], [0, '0']);
          assert.deepEqual(
            asked.map(({ body }) => body.state),
            ['success'],
            'and no comment',
          );
        });
      }));

    it('fails for a case that fails, after it has told what changed', () =>
      inPullRequest(async (project) => {
        await project.write('c.toml', scripted('c', ['one'], '[assert]\ncontains = "never"\n'));
        git(project, 'commit', '-qam', 'a case that fails');
        await withApi(github([]), async (api, asked) => {
          const { code, printed } = await runAction(project, api, { action: 'opened' });
          assert.equal(code, 1);
          assert.match(printed, /tapedeck run ended with exit code 1/);
          assert.equal(asked.length, 2);
          assert.equal((await runAction(project, api, { action: 'opened' }, { run: 'false' })).code, 0);
        });
      }));
  });

  describe('on GitLab', () => {
    interface Job {
      readonly script: readonly string[];
      readonly variables: Readonly<Record<string, string>>;
    }

    const inMergeRequest = (test: (project: TestProject) => Promise<void>): Promise<void> =>
      inBranch(async (project) => {
        await project.engine(['init', '--ci', 'gitlab']);
        await test(project);
      });

    /** Runs the job of the component, as a runner of GitLab does. */
    const runJob = async (
      project: TestProject,
      api: string,
      given: Readonly<Record<string, string>> = {},
      token = 'glpat-1',
    ): Promise<Ended> => {
      const text = readFileSync(project.path('.gitlab/tapedeck/review.yml'), 'utf8');
      const [header, body] = parseAllDocuments(text).map((document) => document.toJS() as never);
      const { inputs } = (header as unknown as { spec: { inputs: Record<string, { default: unknown }> } }).spec;
      const values: Record<string, unknown> = {
        ...Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, one.default])),
        package: packageIn(project.path('.git/package')),
        ...given,
      };
      const filled = JSON.stringify(body).replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) =>
        String(values[name]),
      );
      const { recordings } = JSON.parse(filled) as { recordings: Job };
      const predefined = {
        CI_PROJECT_DIR: project.root,
        CI_BUILDS_DIR: project.path('.git/builds'),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: git(project, 'merge-base', 'HEAD', 'origin/main').trim(),
        CI_API_V4_URL: api,
        CI_PROJECT_ID: '3',
        CI_MERGE_REQUEST_IID: '7',
        CI_COMMIT_SHA: git(project, 'rev-parse', 'HEAD').trim(),
        CI_JOB_URL: 'https://gitlab.example/jobs/1',
        ...(token && { TAPEDECK_TOKEN: token }),
      };
      const variables = Object.fromEntries(
        Object.entries(recordings.variables).map(([name, value]) => [
          name,
          value.replace(/\$(CI_\w+)/g, (_, one: keyof typeof predefined) => predefined[one] ?? ''),
        ]),
      );
      await project.write('.git/job.sh', `set -eo pipefail\n${recordings.script.join('\n')}\n`);
      return run('bash', ['--noprofile', '--norc', project.path('.git/job.sh')], project.root, {
        ...predefined,
        ...variables,
      });
    };

    it('tells the merge request, its diff, and its tests', () =>
      inMergeRequest((project) => {
        const notes: { id: number; body: string; author: { id: number } }[] = [];
        const gitlab = ({ method, path, body }: Asked): readonly [number, unknown?] => {
          if (path === '/user') return [200, { id: 5 }];
          if (path.startsWith('/projects/3/merge_requests/7/notes') && method === 'GET') return [200, notes];
          if (method === 'POST') notes.push({ id: 1, body: String(body.body), author: { id: 5 } });
          return [200, []];
        };
        return withApi(gitlab, async (api, asked) => {
          const first = await runJob(project, api);
          assert.equal(first.code, 0, first.stdout + first.stderr);
          const again = await runJob(project, api);
          assert.equal(again.code, 0, again.stderr);
          assert.deepEqual(
            asked.map(({ method }) => method),
            ['POST', 'PUT'],
          );
          assert.match(notes[0]?.body ?? '', /It rains in Paris today \| It snows in Paris today/);
          const quality = await project.read('tapedeck-review/quality.json');
          assert.match(quality, /rains → snows/);
          assert.ok(!quality.includes(SECRET));
          assert.match(await project.read('tapedeck-review/run.xml'), /<testsuite/);
          assert.match(await project.read('tapedeck-review/review.html'), /<mark>hails<\/mark>/);
        });
      }));

    it('fails, where it is asked to, until the label was set after the last push', () =>
      inMergeRequest(async (project) => {
        const failing = { fail_on: 'pending', run: 'false' };
        let events: readonly unknown[] = [];
        const pushed = '2026-01-02T10:00:00.000Z';
        const gitlab = ({ path }: Asked): readonly [number, unknown?] => {
          const sha = git(project, 'rev-parse', 'HEAD').trim();
          if (path.includes('/versions')) return [200, [{ head_commit_sha: sha, created_at: pushed }]];
          return [200, path.includes('/resource_label_events') ? events : path === '/user' ? { id: 5 } : []];
        };
        await withApi(gitlab, async (api) => {
          const stopped = await runJob(project, api, failing);
          assert.equal(stopped.code, 1);
          assert.match(stopped.stderr, /changes to review: read them, set the label recordings-reviewed, and retry/);
          const set = (action: string, created_at: string) => ({
            action,
            created_at,
            label: { name: 'recordings-reviewed' },
          });
          for (const [expected, ...given] of [
            [1, set('add', '2026-01-02T09:00:00.000Z')],
            [0, set('add', '2026-01-02T11:00:00.000Z')],
            [1, set('add', '2026-01-02T11:00:00.000Z'), set('remove', '2026-01-02T12:00:00.000Z')],
          ] as const) {
            events = given;
            assert.equal((await runJob(project, api, failing)).code, expected, JSON.stringify(given));
          }
          assert.equal((await runJob(project, api, failing, '')).code, 1, 'nobody can say it without a token');
        });
      }));
  });

  describe('by schema, and by pre-commit', () => {
    let python = '';
    before(async () => {
      const peer = await pythonWith('ci');
      if ('missing' in peer)
        throw new Error(`NOT TESTED: there is no Python with ${PYTHON_PEERS.ci.join(', ')}: ${peer.missing}`);
      python = peer.python;
    });

    it('are valid', () =>
      inRepository({}, async (project) => {
        for (const system of ['github', 'gitlab', 'pre-commit']) await project.engine(['init', '--ci', system]);
        const [, job = ''] = (await project.read('.gitlab/tapedeck/review.yml')).split('\n---\n');
        await project.write('job.yml', job);
        await project.write('hooks.yaml', readFileSync(join(PROJECT, 'media/ci/pre-commit/hooks.yaml'), 'utf8'));
        const checks = [
          ['check_jsonschema', '--builtin-schema', 'vendor.github-actions', '.github/actions/tapedeck/action.yml'],
          ['check_jsonschema', '--builtin-schema', 'vendor.github-workflows', '.github/workflows/tapedeck.yml'],
          ['check_jsonschema', '--builtin-schema', 'vendor.gitlab-ci', '.gitlab-ci.yml', 'job.yml'],
          ['pre_commit', 'validate-manifest', 'hooks.yaml'],
          ['pre_commit', 'validate-config', '.pre-commit-config.yaml'],
        ];
        for (const args of checks) {
          const { code, stdout, stderr } = await run(python, ['-m', ...args], project.root, {});
          assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`);
        }
      }));

    it('stop a commit with a pending change, and one with a secret', () =>
      inProject({}, (home) =>
        inRepository({ 'a.tape.json': OLD }, async (project) => {
          const folder = packageIn(home.path('package'));
          await project.engine(['init', '--ci', 'pre-commit']);
          const config = await project.read('.pre-commit-config.yaml');
          await project.write(
            '.pre-commit-config.yaml',
            config.replace(/'@tapedeck\/cli@[^']*'/g, JSON.stringify(folder)),
          );
          const commit = async () => {
            git(project, 'add', '-A');
            return run(python, ['-m', 'pre_commit', 'run'], project.root, { PRE_COMMIT_HOME: home.path('cache') });
          };
          const calm = await commit();
          assert.equal(calm.code, 0, calm.stdout + calm.stderr);
          await project.write('a.tape.json', NEW);
          const stopped = await commit();
          assert.equal(stopped.code, 1, stopped.stdout);
          assert.match(stopped.stdout, /recordings reviewed \(tapedeck\)\.+Failed/);
          assert.match(stopped.stdout, /no secrets in recordings \(tapedeck\)\.+Passed/);
          await project.engine(['accept', 'a.tape.json']);
          const accepted = await commit();
          assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
          await project.write('a.tape.json', weather(`the key is ${SECRET}`));
          const leaked = await commit();
          assert.match(leaked.stdout, /no secrets in recordings \(tapedeck\)\.+Failed/);
          assert.ok(!leaked.stdout.includes(SECRET));
        }),
      ));
  });
});
