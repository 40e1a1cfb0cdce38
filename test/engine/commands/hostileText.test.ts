import assert from 'node:assert/strict';
import { escapeControls } from '../../../src/core/text/escapeInvisible';
import { buildEngine, engine, inProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { inRepository } from '../../harness/repository';

const ESC = '\u001b[2J\u001b]0;owned\u0007';
const CONTROLS = /(?![\n\t\r])\p{Cc}/u;

describe('text of files on a terminal', () => {
  before(buildEngine);

  it('is escaped as in JSON, and only where it controls something', () => {
    assert.equal(
      escapeControls(`a\tb\r\nc ${ESC}\u009b\u202e 🌍 é\r`),
      'a\tb\r\nc \\u001b[2J\\u001b]0;owned\\u0007\\u009b\\u202e 🌍 é\\u000d',
    );
    const value = { text: `${ESC}\u0085\u202e\u2028` };
    assert.deepEqual(JSON.parse(escapeControls(JSON.stringify(value))), value);
  });

  it('has no control characters: unknown keys, names of files, and what test-dsl prints', async () => {
    const text = `name = "a"\nprompt = "hi"\n"${ESC.replaceAll('\u001b', '\\u001b').replaceAll('\u0007', '\\u0007')}" = 1\n[agent]\nname = "A"\n[llm]\ntape = "missing${'\\u009b'}.json"\n`;
    await inProject(
      { [`cases/a${ESC}.toml`]: text, 'cases/-x.toml': text, 'cases/b:1.toml': text },
      async (project) => {
        for (const args of [
          ['run'],
          ['verify', '.'],
          ['run', './cases/-x.toml'],
          ['test-dsl', `cases/a${ESC}.toml`],
          ['inspect', `cases/a${ESC}.toml`],
          ['nothing', ESC],
          [`--${ESC}`],
        ]) {
          const { stdout, stderr } = await engine(args, { cwd: project.root });
          assert.notEqual(stdout + stderr, '', args.join(' '));
          assert.doesNotMatch(stdout + stderr, CONTROLS, args.join(' '));
        }
      },
    );
  });

  const BROKEN = 'a\n::error::owned\n\u2028::error::b\u2029';

  it('has each name on one line, in all reports', async function () {
    if (process.platform === 'win32') return this.skip();
    const name = `cases/${BROKEN}`;
    const files = {
      '.gitignore': '.tapedeck/\n',
      'tapedeck.toml': '',
      [`${name}.toml`]: 'name = "a"\nprompt = "hi"\n[llm]\nsteps = []\n[assert]\noutput_contains = "x"\n',
      [`${name}.tape.json`]: tapeOf('a', ['one']),
    };
    await inRepository(files, async (project) => {
      const tape = (text: string) => tapeOf(`t${BROKEN}`, [text]);
      await project.write(`${name}.tape.json`, tape('two'));
      await project.write(`cases/b${BROKEN}.tape.json`, '{"version": 1, "case_name": "b", "interactions": [{}]}');
      const runs = [
        ...['text', 'markdown', 'github', 'gitlab', 'rdjson', 'junit'].map((one) => ['check', '--reporter', one]),
        ...['text', 'junit'].map((one) => ['verify', '--reporter', one]),
        ...['text', 'markdown', 'junit'].map((one) => ['run', '--reporter', one]),
        ['search', 'two'],
        ['accept', `${name}.tape.json`],
        ['stability', `${name}.toml`],
        ['inspect', `${name}.tape.json`],
      ];
      for (const args of runs) {
        const { stdout, stderr } = await tapedeck(project, ...args);
        assert.notEqual(stdout + stderr, '');
        const lines = (stdout + stderr).split('\n');
        const commands = lines.filter(
          (line) => /^\s*(?:::|##\w*\[)/.test(line) && !line.startsWith('::error file=cases/'),
        );
        assert.deepEqual(commands, [], `${args.join(' ')}: ${stdout}${stderr}`);
      }
    });
  });
});
