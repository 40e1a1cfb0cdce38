import assert from 'node:assert/strict';
import { type Schema, Validator } from '@cfworker/json-schema';
import { compareTapes } from '../../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../../src/core/review/compare/normaliser';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { githubAnnotations } from '../../../src/engine/reporters/githubAnnotations';
import { scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

const readMofa = (text: string) => mofaFormat.read(tapeFileFromText(text));

describe('review --html', function () {
  this.timeout(60_000);

  it('writes the changes that check lists, with their texts and decisions, and ends with 0', async () => {
    await inRepository({ 'a.tape.json': OLD, 'tapes/b.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      await project.write('tapes/b.tape.json', NEW);
      await tapedeck(project, 'accept', 'a.tape.json', '--field', 'request.model', '--reason', 'as <planned>');
      const { code, stdout, stderr } = await tapedeck(project, 'review', '--html', 'out/r.html');
      assert.deepEqual([code, stdout, stderr], [0, 'out/r.html: 4 changes in 2 files, 3 pending\n', '']);
      const page = await project.read('out/r.html');
      for (const part of ['a.tape.json', 'tapes/b.tape.json', 'as &lt;planned&gt;', '2 files · 3 pending, 1 accepted'])
        assert.ok(page.includes(part), part);
      assert.match(page, /<del>- It <mark>rains<\/mark> in Paris today<\/del><ins>\+ It <mark>snows<\/mark>/);
      assert.match(page, /tokens 10 → 12 in/);
      assert.match(page, /<dt>tokens in<\/dt><dd>22 <small>\+10%<\/small><\/dd>/);
      assert.match(page, /title="cost: \$[\d.]+ before, \$[\d.]+ now, at list prices of \d{4}-\d\d-\d\d"/);
      assert.doesNotMatch(page, /<script|https?:/i);
      const part = await tapedeck(project, 'review', 'tapes', '--html', 'out/r.html', '--json');
      const bytes = Buffer.byteLength(await project.read('out/r.html'));
      assert.deepEqual(JSON.parse(part.stdout), {
        ...{ ok: true, path: 'out/r.html', files: 1, changes: 2, pending: 2, leftOut: 0, bytes },
      });
    });
  });

  it('compares with a revision, and has runs and baselines', async () => {
    const files = { 'c.toml': scripted('c', ['one']) };
    await inRepository(files, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      git(project, 'add', '.');
      git(project, 'commit', '-qm', 'second');
      await project.write('c.toml', scripted('c', ['two']));
      await tapedeck(project, 'run');
      await tapedeck(project, 'review', '--html', 'r.html');
      assert.match(
        await project.read('r.html'),
        /c\.toml <small>run<\/small>[\s\S]*Compared with the baseline · 1 pending/,
      );
      await tapedeck(project, 'accept', 'c.toml', '--stage');
      git(project, 'commit', '-qm', 'third');
      const { stdout } = await tapedeck(project, 'review', '--since', 'HEAD~1', '--html', 'r.html');
      assert.match(stdout, /^r\.html: 1 change in 1 file, 0 pending/);
      assert.match(
        await project.read('r.html'),
        /c\.baseline\.json <small>baseline<\/small>[\s\S]*Compared with HEAD~1/,
      );
      const none = await tapedeck(project, 'review', '--html', 'r.html');
      assert.equal(none.code, 0);
      assert.match(await project.read('r.html'), /No recorded run has changed\./);
    });
  });

  it('replaces only a page of its own, and hides secrets before it cuts texts', async () => {
    const long = (word: string) => `${'same '.repeat(9000)}${word} ${'and so on '.repeat(9000)}${KEY}`;
    const tape = (word: string) =>
      JSON.stringify({
        version: 1,
        case_name: 'a',
        interactions: [{ response: long(word) }, { response: `${word} ${KEY}` }],
      });
    await inRepository({ 'a.tape.json': tape('old'), 'r.html': '<p>mine</p>' }, async (project) => {
      await project.write('a.tape.json', tape('new'));
      const refused = await tapedeck(project, 'review', '--html', 'r.html');
      assert.deepEqual(
        [refused.code, refused.stderr],
        [2, 'tapedeck: r.html already exists\n  Name another file, or overwrite it with --force.\n'],
      );
      assert.equal(await project.read('r.html'), '<p>mine</p>');
      assert.equal((await tapedeck(project, 'review', '--html', 'r.html', '--force')).code, 0);
      assert.equal((await tapedeck(project, 'review', '--html', 'r.html')).code, 0);
      const page = await project.read('r.html');
      assert.ok(!page.includes(KEY.slice(0, 20)));
      assert.match(page, /44,700 equal characters before this are left out\./);
      assert.match(page, /[\d,]+ more characters are left out\./);
      assert.match(page, /<mark>old<\/mark>/);
    });
  });

  it('names what is missing', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      const bare = await tapedeck(project, 'review');
      assert.deepEqual([bare.code, bare.stderr.split('\n')[0]], [2, 'tapedeck: review: name the page to write']);
      const unknown = await tapedeck(project, 'review', 'no.tape.json', '--html', 'r.html');
      assert.equal(unknown.code, 2);
      assert.match(unknown.stderr, /no\.tape\.json: there is no such case/);
      assert.ok(!project.has('r.html'));
    });
  });
});

describe('check --reporter github', function () {
  this.timeout(60_000);

  it('annotates each pending file at its first change, from the top of the repository', async () => {
    const files = {
      'agent/tapedeck.toml': '',
      'agent/a,b:c.tape.json': OLD,
      'agent/calm.tape.json': OLD,
      'agent/gone.tape.json': OLD,
      'agent/c.toml': scripted('c', ['one']),
    };
    await inRepository(files, async (project) => {
      await tapedeck({ root: project.path('agent') }, 'run', '--update-baselines');
      await project.write('agent/c.toml', scripted('c', ['two']));
      await tapedeck({ root: project.path('agent') }, 'run');
      await project.write('agent/a,b:c.tape.json', NEW);
      git(project, 'rm', '-q', 'agent/gone.tape.json');
      const { code, stdout } = await tapedeck({ root: project.path('agent') }, 'check', '--reporter', 'github');
      assert.equal(code, 1);
      const [tape, baseline, run, gone, sum, ...rest] = stdout.split('\n');
      const start =
        /^::error file=agent\/a%2Cb%3Ac\.tape\.json,line=(\d+),title=Tapedeck%3A 2 pending changes::Model · interaction 2: \{\+gpt-5\+\}%0AResponse · interaction 2: It \[-rains-\]\{\+snows\+\} in Paris today$/;
      const [, at] = start.exec(tape ?? '') ?? [];
      const second = (await project.read('agent/a,b:c.tape.json'))
        .split('\n')
        .slice(Number(at) - 1)
        .join('\n');
      assert.match(second, /^\s*\{[\s\S]*It snows/);
      assert.doesNotMatch(second, /Hello and welcome"[\s\S]*Hello and welcome"/);
      assert.match(
        baseline ?? '',
        /^::error file=agent\/c\.baseline\.json,line=1,title=Tapedeck%3A 1 pending change::/,
      );
      assert.equal(run, '::error file=agent/c.toml,line=1,title=Tapedeck%3A 1 pending change::Output: one → two');
      assert.match(gone ?? '', /^::error file=agent\/gone\.tape\.json,line=1,/);
      assert.match(sum ?? '', /^\d+ pending changes; \d+ differences ignored by rules$/);
      assert.deepEqual(rest, ['']);
    });
  });

  it('lets no recorded text become a command', () => {
    const [change] = compareTapes(readMofa(OLD), readMofa(NEW), new Normaliser()).changes;
    assert.ok(change);
    const title = 'y\r\n::set-env name=A::b\u2028::stop-commands::x 100%';
    const printed = githubAnnotations([
      { path: 'a\n::b,line=9.json', pending: [{ change: { ...change, title }, line: 2 }] },
    ]);
    assert.match(
      printed,
      /^::error file=a%0A%3A%3Ab%2Cline=9\.json,line=2,title=Tapedeck%3A 1 pending change::y[^\r\n\u2028]* 100%25 · interaction 2[^\r\n\u2028]*\n$/,
    );
    assert.ok(printed.includes(' ::set-env'), printed);
  });
});

describe('check --reporter gitlab, and rdjson', function () {
  this.timeout(60_000);

  const inMergeRequest = (test: (project: TestProject) => Promise<void>): Promise<void> =>
    inRepository({ 'agent/tapedeck.toml': '', 'agent/a.tape.json': OLD }, async (project) => {
      await project.write('agent/a.tape.json', NEW);
      git(project, 'commit', '-qam', 'second');
      await test(project);
    });
  const report = async (project: TestProject, reporter: string): Promise<unknown> => {
    const agent = { root: project.path('agent') };
    const { code, stdout } = await tapedeck(agent, 'check', '--since', 'HEAD~1', '--reporter', reporter);
    assert.equal(code, 1);
    return JSON.parse(stdout);
  };

  it('shows each change at its line in a merge request of GitLab, under a name that stays', () =>
    inMergeRequest(async (project) => {
      const issues = (await report(project, 'gitlab')) as readonly Record<string, unknown>[];
      requireValid(issues, CODE_QUALITY);
      assert.deepEqual(
        issues.map(({ description, check_name, severity }) => [description, check_name, severity]),
        [
          ['Model · interaction 2: gpt-4o → gpt-5', 'tapedeck/model', 'minor'],
          ['Response · interaction 2: rains → snows', 'tapedeck/text', 'major'],
        ],
      );
      const fingerprints = issues.map(({ fingerprint }) => fingerprint);
      assert.equal(new Set(fingerprints).size, 2);
      await project.write('agent/b.tape.json', OLD);
      git(project, 'add', '-A');
      git(project, 'commit', '-q', '--amend', '-m', 'third');
      const later = (await report(project, 'gitlab')) as typeof issues;
      assert.deepEqual(
        later.slice(0, 2).map(({ fingerprint }) => fingerprint),
        fingerprints,
      );
      const same = later.filter(
        ({ fingerprint }, index) => later.findIndex((one) => one.fingerprint === fingerprint) === index,
      );
      assert.equal(same.length, later.length, 'two files never share one');
    }));

  it('is read by reviewdog', () =>
    inMergeRequest(async (project) => {
      const printed = await report(project, 'rdjson');
      requireValid(printed, RDJSON);
      const { diagnostics } = printed as { readonly diagnostics: readonly unknown[] };
      assert.equal(diagnostics.length, 2);
      const lines = (await project.read('agent/a.tape.json')).split('\n');
      const [{ location }] = diagnostics as [{ location: { path: string; range: { start: { line: number } } } }];
      assert.equal(location.path, 'agent/a.tape.json');
      assert.match(lines.slice(location.range.start.line - 1).join('\n'), /^\s*\{[\s\S]*It snows/);
    }));

  it('is an empty report where nothing changed', () =>
    inRepository({ 'a.tape.json': OLD }, async (project) => {
      for (const [reporter, empty] of [
        ['gitlab', []],
        ['rdjson', { source: { name: 'tapedeck' }, diagnostics: [] }],
      ] as const) {
        const { code, stdout } = await tapedeck(project, 'check', '--reporter', reporter);
        assert.deepEqual([code, JSON.parse(stdout)], [0, empty]);
      }
    }));
});

/** As GitLab documents the report of a tool of one's own, and no member beside. */
const CODE_QUALITY: Schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\./|/)' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
};

/** What reviewdog's Diagnostic Format says of the members that are written. */
const RDJSON: Schema = {
  type: 'object',
  required: ['source', 'diagnostics'],
  additionalProperties: false,
  properties: {
    source: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    diagnostics: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message', 'location'],
        additionalProperties: false,
        properties: {
          message: { type: 'string', minLength: 1 },
          severity: { enum: ['UNKNOWN_SEVERITY', 'ERROR', 'WARNING', 'INFO'] },
          code: { type: 'object', required: ['value'], properties: { value: { type: 'string' } } },
          location: {
            type: 'object',
            required: ['path'],
            properties: {
              path: { type: 'string' },
              range: {
                type: 'object',
                required: ['start'],
                properties: { start: { type: 'object', properties: { line: { type: 'integer', minimum: 1 } } } },
              },
            },
          },
        },
      },
    },
  },
};

function requireValid(value: unknown, schema: Schema): void {
  const { valid, errors } = new Validator(schema).validate(value);
  assert.ok(valid, JSON.stringify(errors));
}
