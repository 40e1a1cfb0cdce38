import assert from 'node:assert/strict';
import { debuggedRuntime } from '../../../../src/core/cases/toml/debugWords';

const worded = (line: string): string | undefined => {
  const found = debuggedRuntime(line.split(' '));
  return found && `${found.runtime}: ${found.with(['DEBUG']).join(' ')}`;
};

describe('the command of an agent that is debugged', () => {
  const commands: Readonly<Record<string, string | undefined>> = {
    'node agent.mjs --fast': 'node: node DEBUG agent.mjs --fast',
    '/usr/bin/node agent.mjs': 'node: /usr/bin/node DEBUG agent.mjs',
    'npx tsx agent.ts': 'node: npx tsx DEBUG agent.ts',
    'python3 agent.py': 'python: python3 DEBUG agent.py',
    '.venv/bin/python3.12 -u -X utf8 -m agent -v': 'python: .venv/bin/python3.12 -u -X utf8 DEBUG -m agent -v',
    'uv run python -c pass': 'python: uv run python DEBUG -c pass',
    'uv run agent.py': undefined,
    'go run ./agent': undefined,
    './tool node agent.mjs': undefined,
    'npm run agent': undefined,
  };
  for (const [line, expected] of Object.entries(commands))
    it(`${expected === undefined ? 'is not known' : 'has the options of the debugger before the script'}: ${line}`, () => {
      assert.equal(worded(line), expected);
    });
});
