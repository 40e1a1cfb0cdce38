import assert from 'node:assert/strict';
import { escapeControls } from '../../../src/core/text/escapeInvisible';
import { buildEngine, engine, inProject } from '../../harness/builtEngine';

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
});
