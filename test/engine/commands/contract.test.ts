import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT_CODES } from '../../../src/core/cases/runOutcome';
import { type CliCommand, optionName } from '../../../src/engine/commands/command';
import { commands } from '../../../src/engine/commands/commands';
import {
  buildEngine,
  type Ended,
  engine,
  inProject,
  scripted,
  type TestProject,
  taped,
  tapeOf,
} from '../../harness/builtEngine';
import { cli } from '../../harness/inProcess';

const FLAKESTORM = `version: "1.0"
agent: {endpoint: "http://127.0.0.1:9/x", type: http}
golden_prompts: ["hi"]
invariants: [{type: contains, value: hello}]
`;
const REPORT = JSON.stringify({ results: [] });

const FILES: Readonly<Record<string, string>> = {
  'tapedeck.toml': '',
  'cases/a.toml': taped('a', '../tapes/a.tape.json', '[assert]\ncontains = "hello"\n'),
  'cases/s.toml': scripted('s', ['hello']),
  'tapes/a.tape.json': tapeOf('a', ['hello']),
  'tapes/b.tape.json': tapeOf('a', ['hello', 'again']),
  'broken/case.toml': 'name = "b"\nprompt = ',
  'broken/case.json': '{"name": ',
  'broken/tape.tape.json': '{"version": 1, "case_name": "a", "interactions": [{"response": ',
  'broken/flakestorm.yaml': 'version: "1.0\nagent: [',
  'broken/report.json': '{"results": ',
  'flakestorm.yaml': FLAKESTORM,
  'report.json': REPORT,
  'part.json': JSON.stringify({ ok: true, matches: true, files: [] }),
  'calls.json': JSON.stringify({ calls: [{ sent: { model: 'm', messages: [{ role: 'user', content: 'hi' }] } }] }),
  'other.txt': 'words\n',
};

async function inContract(test: (project: TestProject) => Promise<void>): Promise<void> {
  await inProject(FILES, async (project) => {
    await mkdir(project.path('folder'));
    // Nobody can read it, not even root.
    await symlink('loop.json', project.path('loop.json'));
    await test(project);
  });
}

interface Row {
  /** Arguments with which the command succeeds. */
  readonly works: readonly string[];
  readonly code?: number;
  /** Arguments that name this file; absent where the command takes none. */
  readonly withFile?: (file: string) => readonly string[];
  readonly broken?: string;
  /** Exit codes where that is not 2. */
  readonly missing?: number;
  readonly brokenCode?: number;
  /** What a folder in place of the file ends with; absent where a folder is as good. */
  readonly folder?: number;
  /** Whether it prints results, and so takes `--json`. */
  readonly json: boolean;
  /** For each option with a free value: what is refused, or `any` where every text is a value. */
  readonly values: Readonly<Record<string, readonly string[] | 'any'>>;
}

const NETWORK = { 'allow-key': ['KEY', '=host', 'KEY='], 'allow-host': ['', 'a b'] } as const;
const PROXY = {
  ...NETWORK,
  tape: 'any',
  upstream: ['openai', '=https://host/v1', 'openai=nowhere', 'openai=ftp://host'],
  to: ['nope'],
  mask: ['nope', 'messages/0'],
  pace: ['-1', 'fast', '1e9'],
} as const;
const DECIDE = { change: ['no-such-id'], field: ['no_such_field'], reason: 'any' } as const;

const ROWS: Readonly<Record<string, Row>> = {
  run: {
    works: ['cases/a.toml'],
    withFile: (file) => [file],
    broken: 'broken/case.toml',
    folder: 2,
    json: true,
    values: {
      ...NETWORK,
      jobs: ['0', '-1', 'two', '1.5', '9999999'],
      shard: ['0/2', '3/2', '2', 'a/b', '1/0'],
      from: ['0', 'x', '-1'],
    },
  },
  'test-dsl': {
    works: ['cases/a.toml'],
    withFile: (file) => [file],
    broken: 'broken/case.toml',
    missing: 1,
    brokenCode: 1,
    folder: 1,
    json: false,
    values: {
      ...NETWORK,
      'artifact-out': 'any',
      'report-out': 'any',
      'baseline-in': 'any',
      'baseline-out': 'any',
      'comparison-out': 'any',
      config: 'any',
    },
  },
  inspect: {
    works: ['tapes/a.tape.json'],
    withFile: (file) => [file],
    broken: 'broken/tape.tape.json',
    brokenCode: 1,
    folder: 2,
    json: true,
    values: {},
  },
  verify: {
    works: ['tapes'],
    withFile: (file) => [file],
    broken: 'broken/tape.tape.json',
    brokenCode: 1,
    folder: 2,
    json: true,
    values: { 'max-age': ['0', '-3', 'week', '1.5'] },
  },
  search: { works: ['path:tape', 'tapes'], json: true, values: {} },
  convert: {
    works: ['tapes/a.tape.json', 'out.tape.jsonl', '--to', 'tapedeck', '--force'],
    withFile: (file) => [file, 'new.tape.jsonl', '--to', 'tapedeck'],
    broken: 'broken/tape.tape.json',
    folder: 2,
    json: true,
    values: {},
  },
  diff: {
    works: ['tapes/a.tape.json', 'tapes/a.tape.json'],
    withFile: (file) => ['tapes/a.tape.json', file],
    broken: 'broken/tape.tape.json',
    folder: 2,
    json: true,
    values: {},
  },
  exec: {
    works: ['--allow-none', '--tape', 'tapes/a.tape.json', '--', process.execPath, '-e', '0'],
    withFile: (file) => ['--tape', file, '--', process.execPath, '-e', '0'],
    broken: 'broken/tape.tape.json',
    missing: 4,
    folder: 2,
    json: false,
    values: { ...PROXY, 'mcp-config': ['no/such/config.json'] },
  },
  'mcp-tape': {
    works: ['--tape', 'tapes/a.tape.json', '--', process.execPath, '-e', '0'],
    json: false,
    values: { tape: 'any', mask: ['nope', 'messages/0'], server: 'any' },
  },
  serve: {
    works: ['--tape', 'tapes/a.tape.json'],
    withFile: (file) => ['--tape', file],
    broken: 'broken/tape.tape.json',
    missing: 4,
    folder: 2,
    json: false,
    values: { ...PROXY, port: ['0', '70000', '-1', 'http', '80.5'], token: ['short', 'with spaces in it'] },
  },
  recover: { works: [], withFile: (file) => ['--save', file], folder: 2, json: true, values: { as: 'any' } },
  formats: { works: [], json: true, values: {} },
  // There is no repository.
  init: { works: [], code: 2, json: false, values: {} },
  layout: {
    works: ['calls.json'],
    withFile: (file) => [file],
    broken: 'broken/tape.tape.json',
    folder: 2,
    json: false,
    values: { name: 'any' },
  },
  takes: {
    works: ['tapes/a.tape.json'],
    withFile: (file) => [file],
    json: true,
    folder: 2,
    values: { restore: ['none', '../a.json'] },
  },
  check: { works: [], code: 0, json: true, values: { since: 'any', shard: ['0/2', '3/2', '2', 'a/b', '1/0'] } },
  merge: {
    works: ['part.json'],
    withFile: (file) => [file],
    broken: 'broken/report.json',
    folder: 2,
    json: true,
    values: {},
  },
  review: {
    works: ['--html', 'out.html'],
    withFile: (file) => [file, '--html', 'out.html'],
    broken: 'broken/case.toml',
    json: true,
    values: { html: ['', 'folder'], since: 'any' },
  },
  accept: {
    works: ['cases/a.toml'],
    withFile: (file) => [file],
    broken: 'broken/case.toml',
    json: true,
    values: DECIDE,
  },
  reject: {
    works: ['cases/a.toml'],
    withFile: (file) => [file],
    broken: 'broken/case.toml',
    json: true,
    values: DECIDE,
  },
  fork: {
    works: ['cases/a.toml', '--from', '1', '--print'],
    withFile: (file) => [file, '--from', '1', '--print'],
    broken: 'broken/case.toml',
    folder: 2,
    json: true,
    values: {
      ...NETWORK,
      from: ['0', 'x', '-1'],
      model: [''],
      system: 'any',
      response: 'any',
      'tool-result': ['no result'],
      tools: ['no/such/tools.json', 'report.json'],
      edit: ['no/such/edit.toml', 'other.txt'],
      out: ['other.txt', 'cases/a.toml'],
    },
  },
  stability: {
    works: ['cases/a.toml', '--help'],
    withFile: (file) => [file],
    broken: 'broken/case.toml',
    folder: 2,
    json: true,
    values: { ...NETWORK, times: ['0', '1', 'x', '-2'] },
  },
  trial: {
    works: ['cases/a.toml', '--model', 'm', '--help'],
    withFile: (file) => [file, '--model', 'm'],
    broken: 'broken/case.toml',
    folder: 2,
    json: true,
    values: {
      ...NETWORK,
      model: 'any',
      adopt: 'any',
      samples: ['0', 'x', '-2'],
      shard: ['0/2', '3/2', '2', 'a/b', '1/0'],
      jobs: ['0', '-1', 'two', '1.5', '9999999'],
    },
  },
  flakestorm: {
    works: ['export', '--from-report', 'report.json'],
    withFile: (file) => ['export', '--from-report', file],
    broken: 'broken/report.json',
    folder: 2,
    json: true,
    values: {
      ...NETWORK,
      config: 'any',
      'min-score': ['2', '-1', 'high', ''],
      profile: 'any',
      'from-report': 'any',
      'from-langsmith': 'any',
      'from-langsmith-project': 'any',
      'date-range': ['yesterday-ish'],
      'min-latency-ms': ['-1', 'slow'],
      output: 'any',
    },
  },
  mcp: { works: ['--help'], json: false, values: {} },
};

/** A whole command line with one option more. */
function withOption(name: string, { works }: Row, option: string, value: string): readonly string[] {
  const given = `--${option}=${value}`;
  if (name === 'exec' || name === 'serve' || name === 'mcp-tape') return [given, ...works];
  if (name === 'flakestorm')
    return [option === 'min-score' ? 'ci' : 'import', '--from-langsmith-project', 'support', given];
  const others = works.filter((word) => word !== '--help' && word !== '--print');
  return [...others, ...(name === 'run' && option === 'from' ? ['--record'] : []), given];
}

/** An error: its first line begins with the program's name, and it is never a stack. */
function assertError({ stderr, stdout }: Ended, what: string): void {
  assert.match(stderr, /^(tapedeck|DSL test failed): /m, what);
  assert.doesNotMatch(stderr + stdout, /this is a bug|^ {4}at /m, what);
}

const listed = commands.filter(({ hidden }) => !hidden);
const stopped = AbortSignal.abort();

describe('the contract of the command line', function () {
  this.timeout(60_000);

  it('is tested for every command', () => {
    assert.deepEqual(Object.keys(ROWS).sort(), listed.map(({ name }) => name).sort());
  });

  for (const { name, load } of listed) {
    const row = ROWS[name];
    if (row === undefined) continue;
    describe(name, () => {
      let command: CliCommand;
      /** The options, by their names in a command line. */
      const options = () => Object.entries(command.options).map(([key, option]) => [optionName(key), option] as const);
      before(async () => {
        command = await load();
      });
      /** `serve` runs until it is stopped. */
      const run = (project: TestProject, args: readonly string[]) =>
        cli(project.root, [name, ...args], name === 'serve' || name === 'mcp-tape' ? { signal: stopped } : {});

      it('helps with every option, exit code and example', async () => {
        await inContract(async (project) => {
          const { code, stdout, stderr } = await run(project, ['--help']);
          assert.deepEqual([code, stderr], [0, '']);
          for (const [option] of options()) assert.match(stdout, new RegExp(`--${option}\\b`));
          assert.ok(stdout.includes(`Usage: tapedeck ${name} `));
          if (name !== 'mcp') assert.match(stdout, /Exit codes: 0/);
          assert.equal('json' in command.options, row.json || name === 'serve' || name === 'test-dsl');
        });
      });

      it('refuses options that it does not have, and values that are none', async () => {
        await inContract(async (project) => {
          const unknown = await cli(project.root, [name, '--nope']);
          assert.equal(unknown.code, 2);
          assert.match(unknown.stderr, new RegExp(`^tapedeck: ${name}: unknown option --nope\\n {2}.*`));
          for (const [option, { value, choices }] of options()) {
            if (value === undefined) {
              const { code, stderr } = await cli(project.root, [name, `--${option}=x`]);
              assert.deepEqual([code, stderr.includes(`--${option} takes no value`)], [2, true], stderr);
              continue;
            }
            const bare = await cli(project.root, [name, `--${option}`]);
            assert.deepEqual([bare.code, bare.stderr.includes(`--${option} needs a value`)], [2, true], bare.stderr);
            if (choices === undefined) continue;
            const wrong = await cli(project.root, [name, `--${option}=nope`]);
            assert.deepEqual([wrong.code, wrong.stderr.includes(`--${option} cannot be \`nope\``)], [2, true]);
          }
        });
      });

      it('refuses what is no value of an option, naming the option and the value', async () => {
        const free = Object.entries(ROWS[name]?.values ?? {});
        const wanted = options().filter(([, { value, choices }]) => value && !choices);
        assert.deepEqual(free.map(([option]) => option).sort(), wanted.map(([option]) => option).sort());
        await inContract(async (project) => {
          for (const [option, values] of free)
            for (const value of values === 'any' ? [] : values) {
              const args = withOption(name, row, option, value);
              const result = await cli(project.root, [name, ...args]);
              const what: string = `${args.join(' ')}: ${result.code} ${result.stderr}`;
              assert.equal(result.code, 2, what);
              assertError(result, what);
              // A token is a secret.
              assert.ok(option === 'token' || result.stderr.includes(value), what);
            }
        });
      });

      if (row.withFile !== undefined) {
        const { withFile } = row;
        it('names a file that is missing, unreadable, a folder, of another kind or broken, and the way out', async () => {
          await inContract(async (project) => {
            const files: readonly (readonly [string, number | undefined])[] = [
              ['no/such.json', row.missing ?? 2],
              ['loop.json', name === 'test-dsl' ? 1 : 2],
              ['other.txt', name === 'test-dsl' ? 1 : 2],
              ['folder', row.folder],
              [row.broken ?? 'other.txt', row.brokenCode ?? 2],
            ];
            for (const [file, code] of files) {
              if (code === undefined) continue;
              const result = await cli(project.root, [name, ...withFile(file)]);
              const what = `${name} ${file}: ${result.code}\n${result.stderr}${result.stdout}`;
              assert.equal(result.code, code, what);
              const text = result.stderr + result.stdout;
              assert.ok(text.includes(file), what);
              assert.match(text, /\n {2,}\S/, `${what}: no way out`);
              assert.doesNotMatch(text, /this is a bug|^ {4}at /m, what);
            }
          });
        });
      }

      it('works, and where there is no project', async () => {
        await inContract(async (project) => {
          if (name === 'accept' || name === 'reject') await run(project, ['--help']);
          if (name === 'accept' || name === 'reject') await cli(project.root, ['run', 'cases/a.toml']);
          const result = await run(project, row.works);
          assert.deepEqual([result.code, /bug/.test(result.stderr)], [row.code ?? 0, false], result.stderr);
        });
        const { 'tapedeck.toml': _, ...loose } = FILES;
        await inProject(loose, async (project) => {
          if (name === 'accept' || name === 'reject') await cli(project.root, ['run', 'cases/a.toml']);
          const result = await run(project, row.works);
          assert.deepEqual([result.code, /bug/.test(result.stderr)], [row.code ?? 0, false], result.stderr);
        });
      });

      if (row.json)
        it('prints one JSON document that begins with ok, has no absolute paths, and leaves the exit code alone', async () => {
          await inContract(async (project) => {
            if (name === 'accept' || name === 'reject') await cli(project.root, ['run', 'cases/a.toml']);
            const lines = [row.works, ...(row.withFile ? [row.withFile(row.broken ?? 'other.txt')] : [])];
            for (const args of lines) {
              if (args.includes('--help')) continue;
              const plain = name === 'accept' || name === 'reject' ? undefined : await run(project, args);
              const { code, stdout, stderr } = await run(project, [...args, '--json']);
              const what = `${name} ${args.join(' ')} --json: ${code}\n${stdout}${stderr}`;
              if (plain !== undefined) assert.equal(code, plain.code, what);
              assert.ok(!stdout.includes(project.root), what);
              if (stdout === '') {
                assert.equal(code, 2, what);
                continue;
              }
              const document = JSON.parse(stdout);
              assert.equal(Object.keys(document)[0], 'ok', what);
              assert.equal(document.ok, code === 0, what);
              assert.equal(stdout, `${stdout.trimEnd()}\n`, what);
            }
          });
        });
    });
  }

  it('refuses arguments of commands that take none', async () => {
    await inContract(async (project) => {
      for (const name of ['serve', 'mcp', 'check']) {
        const { code, stderr } = await cli(project.root, [name, 'cases']);
        assert.deepEqual([code, stderr.startsWith(`tapedeck: ${name}: `)], [2, true], stderr);
      }
    });
  });

  it('reads one file from stdin where that is -', async () => {
    const { startEngine, ended } = await import('../../harness/builtEngine');
    await inContract(async (project) => {
      const piped = async (...args: string[]): Promise<Ended> => {
        const child = startEngine(args, { cwd: project.root });
        child.stdin.end(FILES['tapes/a.tape.json']);
        return ended(child);
      };
      assert.match((await piped('inspect', '-')).stdout, /hello/);
      assert.deepEqual(JSON.parse((await piped('verify', '-', '--json')).stdout).tapes[0].path, '-');
      assert.equal((await piped('diff', 'tapes/a.tape.json', '-')).code, 0);
      assert.equal((await piped('diff', '-', 'tapes/b.tape.json')).code, 1);
      const converted = await piped('convert', '-', 'c.tape.jsonl', '--to', 'tapedeck', '--json');
      assert.deepEqual([converted.code, JSON.parse(converted.stdout).kept], [0, 1]);
      const both = await piped('diff', '-', '-');
      assert.deepEqual([both.code, /only one/.test(both.stderr)], [2, true]);
      const mixed = await piped('verify', '-', 'tapes');
      assert.deepEqual([mixed.code, /stands alone/.test(mixed.stderr)], [2, true]);
    });
  }).timeout(60_000);

  it('colours what it prints only when asked in a pipe, and never with NO_COLOR', async () => {
    await inContract(async (project) => {
      const lines = [
        ['run', 'cases/a.toml'],
        ['verify', 'broken'],
        ['inspect', 'tapes/a.tape.json'],
        ['diff', 'tapes/a.tape.json', 'tapes/b.tape.json'],
      ];
      for (const args of lines) {
        const [plain, forced, never] = await Promise.all([
          project.engine(args),
          project.engine(args, { FORCE_COLOR: '1' }),
          project.engine(args, { FORCE_COLOR: '1', NO_COLOR: '1' }),
        ]);
        const coloured = [plain, forced, never].map(({ stdout, stderr }) => (stdout + stderr).includes('\u001B['));
        assert.deepEqual(coloured, [false, true, false], args.join(' '));
      }
      for (const args of lines)
        assert.ok(!(await project.engine([...args, '--json'], { FORCE_COLOR: '1' })).stdout.includes('\u001B['));
    });
  }).timeout(60_000);

  before(buildEngine);
  it('is in the help, and in the manual: every exit code', async () => {
    const { stdout } = await engine(['--help']);
    const manual = readFileSync(resolve(__dirname, '../../../docs/command-line.md'), 'utf8');
    for (const code of Object.values(EXIT_CODES)) {
      assert.match(stdout, new RegExp(`\\b${code} [a-z]`));
      assert.match(manual, new RegExp(`^\\| ${code} \\| [a-z]`, 'm'));
    }
  });
});
