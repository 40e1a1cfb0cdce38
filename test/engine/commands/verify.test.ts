import assert from 'node:assert/strict';
import { LineIndex } from '../../../src/core/text/source';
import { buildEngine, inProject, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { BASE64_TAPES, type SeededDefect, seededDefects } from './seededDefects';
import { CLEAN, SEEDED_TAPES } from './seededTapes';

interface Listed {
  readonly path: string;
  readonly format: string | null;
  readonly problems: readonly {
    readonly severity: string;
    readonly rule: string;
    readonly message: string;
    readonly line: number;
    readonly column: number;
  }[];
}

function filesOf(tapes: readonly { readonly file: string; readonly text: string }[]): Record<string, string> {
  return Object.fromEntries(tapes.map(({ file, text }) => [`cassettes/${file}`, text]));
}

/** Why a defect was not found; undefined when it was, at its place. */
function missed({ file, text, rule, at }: SeededDefect, tapes: ReadonlyMap<string, Listed>): string | undefined {
  const problems = (tapes.get(`cassettes/${file}`)?.problems ?? []).filter(({ severity }) => severity !== 'info');
  const fitting = problems.filter((problem) => rule === 'any' || problem.rule === rule);
  const place = at === undefined ? undefined : new LineIndex(text).position(at);
  const lines = text.split('\n').length;
  const found = fitting.some(({ line, column }) =>
    place === undefined ? line >= 1 && line <= lines : line === place.line && column === place.column,
  );
  return found ? undefined : `${file}: ${rule} at ${JSON.stringify(place)}, found ${JSON.stringify(problems)}`;
}

describe('verify', function () {
  this.timeout(60_000);
  before(buildEngine);

  it("finds what the project's recorder hides: its patterns, and secrets of the environment", async () => {
    const tape = tapeOf('a', ['customer CUST-8812 has plainoldsecret99']);
    const config = '[redact]\npatterns = ["CUST-\\\\d+"]\n';
    const rules = async (files: Record<string, string>, env: Record<string, string>): Promise<string[]> => {
      let found: string[] = [];
      await inProject(files, async (project) => {
        const { stdout } = await project.cli(['verify', 'a.tape.json', '--json'], env);
        const { tapes } = JSON.parse(stdout) as { tapes: readonly Listed[] };
        found = tapes.flatMap(({ problems }) => problems.map(({ rule }) => rule));
      });
      return found;
    };
    assert.deepEqual(await rules({ 'a.tape.json': tape }, {}), []);
    assert.deepEqual(
      await rules({ 'a.tape.json': tape, 'tapedeck.toml': config }, { DB_PASSWORD: 'plainoldsecret99' }),
      ['secret/pattern', 'secret/known-value'],
    );
  });

  it('looks for secrets where only tapes are, in files that no reader knows, and lists these', async () => {
    const key = `sk-test-${'1234567890abcdefghijklmnop'}`;
    const header = `authorization: Bearer ${key}`;
    const files = {
      'tests/cassettes/a.yaml': `calls:\n- sent:\n    ${header}\n`,
      'tapes/b.json': JSON.stringify({ calls: [{ header: `Bearer ${key}` }] }),
      'tapes/calm.json': '{"calls":[]}',
      'tapes/report.json': '{"ok": true, "tapes": []}',
      'elsewhere.yaml': `calls:\n- sent:\n    ${header}\n`,
    };
    await inProject(files, async (project) => {
      const { code, stdout } = await tapedeck(project, 'verify', '--json');
      assert.equal(code, 1);
      const { tapes } = JSON.parse(stdout) as { tapes: readonly Listed[] };
      const found = tapes.map(({ path, format, problems }) => [
        path,
        format,
        problems.map(({ rule }) => rule.replace(/\/.*/, '')),
      ]);
      assert.deepEqual(found.sort(), [
        ['tapes/b.json', null, ['unknown', 'secret']],
        ['tapes/calm.json', null, ['unknown']],
        ['tests/cassettes/a.yaml', null, ['unknown', 'secret']],
      ]);
      assert.ok(!stdout.includes(key), 'it is not printed');
      assert.equal((await tapedeck(project, 'verify', 'tapes/calm.json')).code, 2, 'named, it has to be a tape');
    });
  });

  it('reports requests that break the cached prefix where it is asked to, and passes those with a reason', async () => {
    const request = (number: number, system: string, ...more: readonly string[]) => {
      const roles = ['system', 'user', 'assistant', 'user'];
      const messages = [system, 'Hello', ...more].map((content, at) => ({ role: roles[at], content }));
      const body = { model: 'gpt-4o', messages };
      return { request: number, method: 'POST', url: 'https://api.openai.com/v1/chat/completions', json: body };
    };
    const response = (number: number) => {
      const usage = { prompt_tokens: 2600, completion_tokens: 1, total_tokens: 2601 };
      return {
        response: number,
        status: 200,
        json: { choices: [{ message: { role: 'assistant', content: 'x' } }], usage },
      };
    };
    const day = (name: string) => `${'You are a clerk. '.repeat(600)}Today is ${name}.`;
    const tape = [
      { tapedeck: 'tape', version: 1 },
      ...[request(0, day('Monday')), response(0), request(1, day('Tuesday'), 'x', 'Go on'), response(1)],
    ];
    const files = {
      'tapes/a.tape.jsonl': tape.map((line) => `${JSON.stringify(line)}\n`).join(''),
      'tapedeck.toml': '',
    };
    await inProject(files, async (project) => {
      const verified = async (...args: readonly string[]) => {
        const { code, stdout } = await tapedeck(project, 'verify', 'tapes', '--json', ...args);
        const { tapes } = JSON.parse(stdout) as { tapes: readonly Listed[] };
        const problems = tapes.flatMap((one) => one.problems).filter(({ rule }) => rule === 'cache-prefix');
        return { code, problems: problems.map(({ severity, line, message }) => `${severity} ${line}: ${message}`) };
      };
      const message =
        'Message 1 of interaction 2 differs from interaction 1, so about 2,600 tokens could not be read from the cache';
      assert.deepEqual(await verified(), { code: 0, problems: [] }, 'only where it is asked to');
      assert.deepEqual(await verified('--cache-prefix'), { code: 1, problems: [`warning 4: ${message}`] });
      await project.write('tapedeck.toml', '[verify]\ncache_prefix = true\n');
      assert.deepEqual(await verified(), { code: 1, problems: [`warning 4: ${message}`] });
      const exempt = (tapes: string, reason = 'reason = "it is about days"') =>
        project.write(
          'tapedeck.toml',
          `[verify]\ncache_prefix = true\n[[verify.exempt]]\nrule = "cache-prefix"\ntape = "${tapes}"\n${reason}\n`,
        );
      for (const tapes of ['tapes', 'tapes/', 'tapes/a.tape.jsonl']) {
        await exempt(tapes);
        assert.deepEqual(await verified(), { code: 0, problems: [`info 4: ${message}; exempt: it is about days`] });
      }
      await exempt('tape');
      assert.equal((await verified()).code, 1);
      await exempt('tapes', '');
      assert.match((await tapedeck(project, 'verify', 'tapes')).stderr, /`reason`/);
    });
  });

  it('finds every one of more than 200 seeded defects, at its place', async () => {
    const defects = seededDefects();
    assert.ok(defects.length >= 200, `${defects.length}`);
    assert.equal(new Set(defects.map(({ file }) => file)).size, defects.length);
    await inProject(filesOf(defects), async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'verify', '.', '--json');
      assert.deepEqual([code, stderr], [1, '']);
      const { ok, tapes } = JSON.parse(stdout) as { ok: boolean; tapes: readonly Listed[] };
      assert.equal(ok, false);
      const byPath = new Map(tapes.map((tape) => [tape.path, tape]));
      assert.deepEqual(
        defects.flatMap((defect) => missed(defect, byPath) ?? []),
        [],
      );
      const kinds = new Map<string, number>();
      for (const { rule } of defects) kinds.set(rule, (kinds.get(rule) ?? 0) + 1);
      console.log(
        `      ${defects.length} defects: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
      );
    });
  });

  it('says of many files at once, on several processors, what it says of each alone', async () => {
    const defects = seededDefects().slice(0, 120);
    const config = '[redact]\npatterns = ["("]\n';
    const vcrpy = SEEDED_TAPES.find(({ name }) => name === 'vcrpy.yaml')?.write(CLEAN) ?? '';
    const orphan = { 'cassettes/test_gone/one.yaml': vcrpy, 'test_here.py': 'def test_here(): pass\n' };
    await inProject({ ...filesOf(defects), ...orphan }, async (project) => {
      const verify = async (...paths: string[]) => {
        const { stdout } = await project.cli(['verify', ...paths, '--max-age', '1', '--json'], {
          KEY: 'oldsecret99',
        });
        return (JSON.parse(stdout) as { tapes: readonly Listed[] }).tapes;
      };
      const [first, second] = [defects.slice(0, 60), defects.slice(60)];
      const named = (all: readonly SeededDefect[]) => all.map(({ file }) => `cassettes/${file}`).sort();
      const lonely = await verify('cassettes/test_gone');
      assert.ok(lonely[0]?.problems.some(({ rule }) => rule === 'orphan'));
      const alone = [...(await verify(...named(first))), ...(await verify(...named(second))), ...lonely];
      const byPath = (left: Listed, right: Listed) => (left.path < right.path ? -1 : 1);
      const together = await verify('.');
      assert.deepEqual([...together], [...together].sort(byPath), 'in the order of their paths');
      assert.deepEqual(together, alone.sort(byPath));
      await project.write('tapedeck.toml', config);
      const broken = await tapedeck(project, 'verify');
      assert.equal(broken.code, 2);
      assert.match(broken.stderr, /tapedeck\.toml/);
    });
  });

  it('says of a tape that names its test whether that is gone', async () => {
    const tape = (test: string) => `${JSON.stringify({ tapedeck: 'tape', version: 1, name: 't', test })}\n`;
    const files = {
      'tests/test_a.py': 'def test_a(city): pass\n',
      'tests/tapes/test_a/here.tape.jsonl': tape('tests/test_a.py::test_a[Rome]'),
      'tests/tapes/test_a/gone.tape.jsonl': tape('tests/test_a.py::test_b'),
      'tests/tapes/test_c/gone.tape.jsonl': tape('tests/test_c.py::test_c'),
      'tests/tapes/test_a/other.tape.jsonl': tape('a suite of some other runner'),
    };
    await inProject(files, async (project) => {
      const { stdout } = await project.cli(['verify', '--json']);
      const { tapes } = JSON.parse(stdout) as { tapes: readonly Listed[] };
      const orphans = tapes.flatMap(({ path, problems }) => {
        const found = problems.find(({ rule }) => rule === 'orphan');
        return found === undefined ? [] : [`${path}: ${found.message}`];
      });
      assert.deepEqual(orphans, [
        'tests/tapes/test_a/gone.tape.jsonl: no test uses this tape: tests/test_a.py has no test test_b',
        'tests/tapes/test_c/gone.tape.jsonl: no test uses this tape: its test file tests/test_c.py no longer exists',
      ]);
      const searched = await project.cli(['search', 'is:orphan', '--json']);
      assert.match(searched.stdout, /test_a\/gone[\s\S]*test_c\/gone/);
      assert.doesNotMatch(searched.stdout, /here\.tape/);
    });
  });

  it('never prints a secret', async () => {
    const leaks = seededDefects().filter(({ rule }) => rule.startsWith('secret/'));
    await inProject(filesOf(leaks), async (project) => {
      for (const args of [[], ['--json']]) {
        const { stdout, stderr } = await tapedeck(project, 'verify', ...args);
        for (const { file, text, at = 0 } of leaks) {
          const secret = text.slice(at + 16, at + 32);
          if (/^[\w-]{16}$/.test(secret)) assert.ok(!(stdout + stderr).includes(secret), file);
        }
      }
    });
  });

  it('has nothing to say about clean tapes', async () => {
    const files = [
      ...SEEDED_TAPES.map(({ name, write }) => ({ file: name, text: write(CLEAN) })),
      ...BASE64_TAPES.map(({ name, text }) => ({ file: `binary-${name}`, text })),
      ...SEEDED_TAPES.map(({ name, write }) => ({
        file: `placeholders-${name}`,
        text: write({
          header: 'Bearer sk-test-abcdefghijklmnop1234567890',
          query: '<API_KEY>',
          prompt:
            'My key is sk-REDACTEDREDACTEDREDACTED, or sk-XXXXXXXXXXXXXXXXXXXXXXXX, or sk-fake-0123456789abcdefABCDEF.',
          result: 'AKIAIOSFODNN7EXAMPLE api_key: Sanitized0123456789',
          answer: '{"api_key": "your-api-key-goes-here-1234", "max_tokens": 1000, "token": "hello-world-and-others"}',
        }),
      })),
    ];
    await inProject(filesOf(files), async (project) => {
      const { code, stdout } = await tapedeck(project, 'verify', 'cassettes', '--json');
      const { ok, tapes, totals } = JSON.parse(stdout) as { ok: boolean; tapes: readonly Listed[]; totals: object };
      assert.deepEqual(
        tapes.filter(({ problems }) => problems.length > 0),
        [],
      );
      assert.deepEqual([code, ok], [0, true]);
      assert.deepEqual(totals, { tapes: files.length, errors: 0, warnings: 0, infos: 0 });
    });
  });

  it('lists what is wrong as compilers do', async () => {
    const files = {
      'a.tape.json': tapeOf('a', ['one']),
      'sub/b.tape.json': '{"version": 1, "case_name": "b", "interactions": [{}]}',
    };
    await inProject(files, async (project) => {
      assert.deepEqual(await tapedeck(project, 'verify', 'a.tape.json'), {
        code: 0,
        stdout: 'Verified 1 tape: no problems.\n',
        stderr: '',
      });
      const { code, stdout } = await tapedeck(project, 'verify');
      assert.equal(code, 1);
      assert.equal(
        stdout,
        `sub/b.tape.json:1:51: error: missing field \`response\` [format]
  MoFA stores the response as plain text; use "" for an empty one.
Verified 2 tapes: 1 error in 1 tape.
`,
      );
    });
  });

  it('verifies each tape that a case names, wherever it lies and whatever it is called', async () => {
    const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
    const paths = ['order.bin', 'notes/o.md', 'order', 'sub/.tapedeck/o.json', 'node_modules/o.tape.json', 'o.txt'];
    const files = {
      'tapedeck.toml': '',
      'other.bin': tapeOf('other', [KEY]),
      ...Object.fromEntries(paths.map((path) => [path, path === 'o.txt' ? `key ${KEY}` : tapeOf('a', [KEY])])),
      ...Object.fromEntries(paths.map((path, at) => [`cases/${at}.toml`, taped('a', `../${path}`)])),
      'more/b.toml': taped('b', '../missing.bin'),
    };
    await inProject(files, async (project) => {
      for (const folder of [[], ['cases']]) {
        const { stdout, code } = await tapedeck(project, 'verify', ...folder, '--json');
        const { tapes } = JSON.parse(stdout) as { tapes: readonly Listed[] };
        const leaks = tapes.filter(({ problems }) => problems.some(({ rule }) => rule.startsWith('secret/')));
        assert.deepEqual([leaks.map(({ path }) => path).sort(), code], [[...paths].sort(), 1], stdout);
      }
    });
  });

  it('knows files whose content is elsewhere, or gone', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    const files = {
      'cassettes/lfs.yaml': pointer,
      'cassettes/empty.json': '',
      'cassettes/torn.json': '{"versi',
      'src/torn.json': '{"versi',
      'src/empty.txt': '',
    };
    await inProject(files, async (project) => {
      const { code, stdout } = await tapedeck(project, 'verify');
      assert.equal(code, 1);
      assert.match(
        stdout,
        /lfs\.yaml:1:1: error: this is a Git LFS pointer: the tape itself has not been fetched \[lfs-pointer\]\n {2}Run: git lfs pull/,
      );
      assert.match(stdout, /empty\.json:1:1: error: the file is empty \[empty\]/);
      assert.match(stdout, /torn\.json:1:2: error: invalid JSON: a string is not closed \[syntax\]/);
      assert.doesNotMatch(stdout, /src\//);
      assert.equal((await tapedeck(project, 'verify', 'src/torn.json')).code, 1, 'it was named');
    });
  });

  it('tells what is only worth knowing without calling it wrong', async () => {
    await inProject({ 'a.tape.json': tapeOf('a', ['one', 'two', 'one']) }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'verify', 'a.tape.json');
      assert.equal(code, 0);
      assert.match(stdout, /info: interaction 3 has the same request and response as interaction 1 \[repeated\]/);
    });
  });

  it('ends with 2 for what it cannot understand, and verifies the rest', async () => {
    const files = { 'a.tape.json': tapeOf('a', ['one']), 'b.json': '{"hello": 1}', 'c/d.txt': 'words' };
    await inProject(files, async (project) => {
      const cases = [
        [['no.json'], /no\.json: there is no such file\n {2}Pass a tape, or a folder of tapes/],
        [['c'], /there are no tapes in c\n/],
        [['b.json'], /b\.json is not a tape in a known format/],
        [['a.tape.json', 'b.json'], /b\.json is not a tape in a known format/],
      ] as const;
      for (const [paths, message] of cases) {
        const { code, stdout, stderr } = await tapedeck(project, 'verify', ...paths);
        assert.equal(code, 2, paths.join(' '));
        assert.match(stderr, message);
        assert.match(
          stdout,
          paths.length > 1 ? /^Verified 1 tape: no problems\. 1 file could not be verified\.\n$/ : /^$/,
        );
      }
      assert.equal(JSON.parse((await tapedeck(project, 'verify', 'b.json', '--json')).stdout).ok, false);
      assert.match((await tapedeck(project, 'verify', 'a.tape.json', 'b.json')).stdout, /Verified 1 tape/);
    });
  });
});

describe('what nobody uses', function () {
  this.timeout(30_000);
  before(buildEngine);

  const CASSETTE = JSON.stringify({
    meta: { schema_version: 1, test_id: 't' },
    interactions: [{ request: { kind: 'llm', method: 'm', body: {} }, response: { status: 'ok', body: 'x' } }],
  });

  it('is a tape of pytest that no test uses, where there are tests', async () => {
    const folder = 'tests/cassettes/test_a';
    await inProject({ [`${folder}/test_x.json`]: CASSETTE }, async (project) => {
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /no test uses/);
      await project.write('tests/test_a.py', 'def test_x(ca_cassette): pass\n');
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /no test uses/);
      await project.write('tests/test_a.py', 'def test_y(ca_cassette): pass\n');
      const { code, stdout } = await tapedeck(project, 'verify');
      assert.equal(code, 1);
      assert.match(stdout, /test_x\.json:1:1: warning: no test uses this tape: no test in tests\/test_a\.py uses it/);
    });
  });

  it('is an interaction that the last replay did not need, as long as that replay is of this tape', async () => {
    const files = { 'c.toml': taped('c', 'c.tape.json'), 'c.tape.json': tapeOf('c', ['one', 'two']) };
    await inProject(files, async (project) => {
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /did not use/);
      assert.equal((await tapedeck(project, 'run', 'c.toml')).code, 0);
      const { code, stdout } = await tapedeck(project, 'verify');
      assert.equal(code, 1);
      assert.match(stdout, /c\.tape\.json:.*warning: the last replay did not use interaction 2/);
      await project.write('c.tape.json', tapeOf('c', ['one', 'two', 'three']));
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /did not use/, 'the tape is another one now');
    });
  });

  it('is, where that is asked, what is older than so many days', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const tape = (count: number) => CASSETTE.replace('"test_id"', `"recorded_at":"${days(count)}","test_id"`);
    await inProject({ 'old.json': tape(40.5), 'new.json': tape(10) }, async (project) => {
      assert.doesNotMatch((await tapedeck(project, 'verify')).stdout, /older than/);
      const { code, stdout } = await tapedeck(project, 'verify', '--max-age', '30');
      assert.equal(code, 5, stdout);
      assert.match(
        stdout,
        /old\.json:.*warning: its recordings are older than 30 days: the oldest was recorded 40 days ago/,
      );
      assert.doesNotMatch(stdout, /new\.json:.*older/);
      assert.equal((await tapedeck(project, 'verify', '--max-age', '50')).code, 0);
    });
  });
});
