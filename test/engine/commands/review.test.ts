import assert from 'node:assert/strict';
import { compareTapes } from '../../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../../src/core/review/compare/normaliser';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { githubAnnotations } from '../../../src/engine/reporters/githubAnnotations';
import { scripted } from '../../harness/builtEngine';
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
        /^::error file=agent\/a%2Cb%3Ac\.tape\.json,line=(\d+),title=Tapedeck%3A 2 pending changes::Model · interaction 2%0AResponse · interaction 2$/;
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
      assert.equal(run, '::error file=agent/c.toml,line=1,title=Tapedeck%3A 1 pending change::Output');
      assert.match(gone ?? '', /^::error file=agent\/gone\.tape\.json,line=1,/);
      assert.match(sum ?? '', /^\d+ pending changes: tapedeck accept PATH/);
      assert.deepEqual(rest, ['']);
    });
  });

  it('lets no recorded text become a command', () => {
    const [change] = compareTapes(readMofa(OLD), readMofa(NEW), new Normaliser()).changes;
    assert.ok(change);
    const title = 'y\r\n::set-env name=A::b\u2028::stop-commands::x 100%';
    const printed = githubAnnotations([{ path: 'a\n::b,line=9.json', line: 2, pending: [{ ...change, title }] }]);
    assert.match(
      printed,
      /^::error file=a%0A%3A%3Ab%2Cline=9\.json,line=2,title=Tapedeck%3A 1 pending change::y[^\r\n\u2028]* 100%25 · interaction 2\n$/,
    );
    assert.ok(printed.includes('%0A::set-env'), printed);
  });
});
