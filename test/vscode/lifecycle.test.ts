import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { engineProcesses, eventually, exists, file, readJson } from './workspace';

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the engine process', () => {
  const artifact = file('.tapedeck/runs/cases/order_status.artifact.json');
  const replay = () => vscode.commands.executeCommand('tapedeck.replayCase', file('cases/order_status.toml'));

  onLinux('is not there before the first run, and is one process after two', async () => {
    await vscode.extensions.getExtension('tapedeck.tapedeck')?.activate();
    assert.deepEqual(engineProcesses(), []);
    await replay();
    await replay();
    assert.equal(engineProcesses().length, 1);
  });

  onLinux('is started again after it was killed, and runs on', async () => {
    await replay();
    const [killed] = engineProcesses();
    assert.ok(killed !== undefined);
    process.kill(killed, 'SIGKILL');
    await eventually('a new engine', () => engineProcesses().find((pid) => pid !== killed));
    const before = (await readJson(artifact)).execution_id;
    await replay();
    assert.ok(await exists(artifact));
    assert.notEqual((await readJson(artifact)).execution_id, before);
  });
});
