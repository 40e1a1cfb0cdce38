import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import type { AgentDebugger } from '../../../../src/contracts/engine/agentDebugger';
import { runDebugged } from '../../../../src/engine/execution/external/runDebugged';
import type { ProcessCommand } from '../../../../src/engine/process/runProcess';

/** Waits for a connection to the port, as a program does that waits for its debugger. */
const WAITING = `const port = Number(process.argv[1]);
require('node:net').createServer((socket) => socket.on('data', () => {
  process.stdin.pipe(process.stdout);
  console.error('Debugger attached.');
  console.error('own words');
  setTimeout(() => process.exit(3), 300);
})).listen(port, '127.0.0.1');`;

const program = (timeoutMs: number, signal = new AbortController().signal): ProcessCommand => ({
  command: ['agent'],
  cwd: tmpdir(),
  environment: { PATH: process.env.PATH },
  stdio: 'captured',
  input: 'the prompt',
  timeoutMs,
  signal,
});

const debuggerOf = (attachDebugger: AgentDebugger['attachDebugger']): AgentDebugger => ({
  debugCommand: async ({ command, port }) => {
    assert.deepEqual(command, ['agent']);
    return { command: [process.execPath, '-e', WAITING, String(port)], type: 'node' };
  },
  attachDebugger,
});

describe('an agent under a debugger', () => {
  it('is attached to once it listens, however long that takes, and ends as it does without', async () => {
    const editor = debuggerOf(async ({ port, type, casePath }) => {
      assert.deepEqual([type, casePath], ['node', 'c.toml']);
      connect(port, '127.0.0.1').end('go');
    });
    const { code, stdout, stderr, timedOut } = await runDebugged(program(1), 'c.toml', editor);
    assert.deepEqual([code, stdout, stderr, timedOut], [3, 'the prompt', 'own words\n', false]);
  });

  it('is ended where no debugger can be attached, with the reason', async () => {
    const editor = debuggerOf(() => Promise.reject(new Error('no debugger here')));
    await assert.rejects(runDebugged(program(1), 'c.toml', editor), { name: 'UserError', message: 'no debugger here' });
  });

  it('is not started where its debugger is missing', async () => {
    const debugCommand = () => Promise.reject(new Error('install it'));
    const editor = { ...debuggerOf(() => Promise.resolve()), debugCommand };
    await assert.rejects(runDebugged(program(1), 'c.toml', editor), { name: 'UserError', message: 'install it' });
  });

  it('is ended by its signal', async () => {
    const abort = new AbortController();
    const editor = debuggerOf(async () => abort.abort());
    const { endedBy } = await runDebugged(program(1, abort.signal), 'c.toml', editor);
    assert.notEqual(endedBy, null);
  });
});
