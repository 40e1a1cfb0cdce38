import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textDiff } from '../../../src/core/export/textDiff';
import { escapeInvisible } from '../../../src/core/text/escapeInvisible';
import { escapeXml } from '../../../src/engine/reporters/junitXml';
import { createPaint } from '../../../src/engine/terminal/paint';
import { duration } from '../../../src/engine/terminal/visibleText';
import { inProject, scripted, type TestProject, taped } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { parseXml, type XmlElement } from './strictXml';

const plain = createPaint(false);

/** A project with one case of each outcome. The output of the failing one is hostile. */
const HOSTILE = 'line one\n]]> <b a="1"> & \'q\' \u001B[31m\u0000 🌞';
const mixed = (test: (project: TestProject) => Promise<void>) =>
  inProject(
    {
      'cases/broken.toml': 'name = "broken"\nprompt = 1\n[llm]\n',
      'cases/failing.toml': scripted('fail <&> "ing"', [HOSTILE], '[assert]\ncontains = "nope"'),
      'cases/passing.toml': scripted('passing', ['x'], '[assert]\ncontains = "x"'),
      'drifted.toml': taped('drifted', 'no.json'),
    },
    test,
  );

describe('the JUnit report', function () {
  this.timeout(30_000);

  it('is well-formed XML that says the same as the JSON', async () => {
    await mixed(async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'junit');
      assert.deepEqual([code, stderr], [2, '']);
      const root = parseXml(stdout);
      const [suite] = root.children;
      assert.ok(suite);
      for (const { attributes } of [root, suite]) {
        const { time, ...counts } = attributes;
        assert.match(time ?? '', /^\d+\.\d{3}$/);
        assert.deepEqual(counts, { name: 'tapedeck', tests: '4', failures: '1', errors: '2', skipped: '0' });
      }
      const cases = suite.children;
      assert.deepEqual(
        cases.map(({ attributes }) => attributes.file),
        ['cases/broken.toml', 'cases/failing.toml', 'cases/passing.toml', 'drifted.toml'],
      );
      assert.deepEqual(cases.map(kinds), [['error:case'], ['failure:assertion'], [], ['error:replay']]);
      const [failing] = cases.slice(1);
      assert.equal(failing?.attributes.name, 'fail <&> "ing"');
      assert.equal(failing?.attributes.classname, 'cases');
      const shown = HOSTILE.replace('\u001B', '\uFFFD').replace('\u0000', '\uFFFD');
      assert.equal(failing?.children[0]?.attributes.message, `expected output to contain \`nope\`, got \`${shown}\``);
      assert.ok(failing?.children[0]?.text.endsWith(`expected:\nnope\nactual:\n${shown}`));
      assert.equal(cases[2]?.children[0]?.text, '1 assertion · no baseline');
    });
  });

  const kinds = ({ children }: XmlElement): string[] =>
    children.filter(({ name }) => name !== 'system-out').map(({ name, attributes }) => `${name}:${attributes.type}`);

  it('can say everything that XML can', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeXml(text);
        const { attributes, text: content } = parseXml(
          `<?xml version="1.0" encoding="UTF-8"?><a b="${escaped}">${escaped}</a>`,
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 forbids
        const possible = text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '\uFFFD');
        assert.equal(attributes.b, possible);
        assert.equal(content, possible);
      }),
    );
  });
});

describe('the NDJSON report', function () {
  this.timeout(30_000);

  it('is a line for each thing that happens, and a summary at the end', async () => {
    await mixed(async (project) => {
      const { stdout } = await tapedeck(project, 'run', '--reporter', 'ndjson', '--jobs', '1');
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.filter(({ casePath }) => casePath?.endsWith('failing.toml')).map(({ type }) => type),
        ['started', 'interaction', 'finished'],
      );
      const summary = lines.at(-1);
      assert.deepEqual(
        { ...summary, durationMs: 0 },
        { type: 'summary', ok: false, total: 4, passed: 1, failed: 3, cancelled: 0, durationMs: 0 },
      );
      assert.deepEqual(
        lines.filter(({ type }) => type === 'finished').map(({ result }) => [result.name, result.status]),
        [
          ['broken', 'failed'],
          ['fail <&> "ing"', 'failed'],
          ['passing', 'passed'],
          ['drifted', 'failed'],
        ],
      );
    });
  });

  it('goes on where a number is too big for a double', async () => {
    const big =
      'name = "big"\nprompt = "p"\n[[tools]]\nname = "t"\ndescription = "d"\n[[llm.steps]]\ntype = "tool_call"\ntool = "t"\narguments = { n = NUMBER }\n[[llm.steps]]\ntype = "text"\ncontent = "x"\n';
    await inProject({ 'a.toml': big.replace('NUMBER', '9007199254740993') }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      assert.match(await project.read('a.baseline.json'), /"n": 9007199254740993\n/);
      assert.equal((await tapedeck(project, 'run')).code, 0);
      await project.write('a.toml', big.replace('NUMBER', '9007199254740995'));
      const { code, stdout } = await tapedeck(project, 'run', '--reporter', 'ndjson');
      assert.equal(code, 1);
      const finished = stdout
        .split('\n')
        .filter((line) => line.includes('"finished"'))
        .map((line) => JSON.parse(line));
      assert.match(finished[0].result.failures[0].actual, /9007199254740995/);
      assert.match((await tapedeck(project, 'run', '--reporter', 'json')).stdout, /"n": 9007199254740995\n/);
    });
  });
});

describe('the text report', function () {
  this.timeout(30_000);

  it('has a line for each case, the reason and the way out below a failed one, and what it all rests on', async () => {
    await mixed(async (project) => {
      const { stdout, stderr } = await tapedeck(project, 'run');
      assert.equal(stderr, '', 'no progress where nobody watches');
      assert.match(
        stdout,
        /^✗ broken {2}replay \d+ ms\n {4}cases\/broken\.toml:2:10: `prompt` must be a string\n {4}Change /,
      );
      assert.match(stdout, /\n✓ passing {2}scripted \d+ ms {2}1 assertion · no baseline\n/);
      assert.match(stdout, /\n {4}cases\/failing\.toml\n {4}expected output to contain `nope`, got `line one\n/);
      assert.equal(stdout.includes('\u001B'), false, 'recorded text does not steer the terminal');
      assert.match(stdout, /\n\n4 cases: 1 passed, 3 failed in \d+ ms\nCompared with baselines: 0 of 4\.\n$/);
    });
  });

  it('shows the lines in which a run differs from its baseline', async () => {
    await inProject({ 'a.toml': scripted('a', ['one\ntwo\nthree\nfour\nfive']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      await project.write('a.toml', scripted('a', ['one\ntwo\nthree\nFOUR\nfive']));
      const { stdout } = await tapedeck(project, 'run');
      assert.match(stdout, /Output differs from the baseline\n {8}two\n {8}three\n {6}- four\n {6}\+ FOUR\n {8}five\n/);
      assert.match(stdout, /To accept the new results as baselines: tapedeck accept a\.toml\n$/);
    });
  });

  it('names the cases that checked nothing', async () => {
    await inProject({ 'a.toml': scripted('lonely', ['x']) }, async (project) => {
      const { stdout } = await tapedeck(project, 'run');
      assert.match(stdout, /Nothing was checked in lonely: add \[assert\], or accept a baseline\.\n$/);
    });
  });
});

describe('text for terminals', function () {
  this.timeout(30_000);

  it('shows what would steer one', () => {
    assert.equal(escapeInvisible('a\u001B[2J\u202Eb\tc\r\nd\re'), 'a\\u001b[2J\\u202eb\tc\nd\\u000de');
  });

  it('says times as people do', () => {
    assert.deepEqual([0, 999, 1000, 59_940, 61_000].map(duration), ['0 ms', '999 ms', '1.0 s', '59.9 s', '1 min 1 s']);
  });

  it('compares long texts that have nothing in common in bounded time, and does not print them all', () => {
    const text = (seed: number) =>
      Array.from({ length: 20_000 }, (_, line) => `${(line * 7919 * seed) % 10_007}`).join('\n');
    const shown = textDiff(text(1), text(3), plain).split('\n');
    assert.equal(shown.length, 61);
    assert.match(shown.at(-1) ?? '', /^… and [\d,]+ more lines$/);
  });
});
