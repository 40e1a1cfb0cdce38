import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLastingRecorders } from '../../../src/engine/recording/openRecorder';

describe('the recorders of a process that lasts', () => {
  const root = mkdtempSync(join(tmpdir(), 'tapedeck-recorders-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const declare = (pattern: string): void =>
    writeFileSync(join(root, 'tapedeck.toml'), `[redact]\npatterns = ["${pattern}"]\n`);

  it('stay the same until the patterns of the project change', async () => {
    const recorders = createLastingRecorders({ SOME_TOKEN: 'q7Lm2Zx9Tr4Vb6Ny8Kp3Wd5' });
    declare('CUST-[0-9]+');
    const first = await recorders(root);
    assert.equal(first.text('CUST-17 q7Lm2Zx9Tr4Vb6Ny8Kp3Wd5 SHOP-3'), '[redacted] [redacted] SHOP-3');
    assert.equal(await recorders(root), first);
    declare('SHOP-[0-9]+');
    assert.equal((await recorders(root)).text('CUST-17 SHOP-3'), 'CUST-17 [redacted]');
    declare('(');
    await assert.rejects(recorders(root));
  });

  it('stay the same until the stored keys or the environment change', async () => {
    const environment: Record<string, string> = {};
    const recorders = createLastingRecorders(environment);
    declare('CUST-[0-9]+');
    const [stored, other] = ['Zx9Tr4Vb6Ny8Kp3Wd5q7Lm2', 'Kp3Wd5q7Lm2Zx9Tr4Vb6Ny8'];
    const first = await recorders(root, { MY_KEY: stored });
    assert.equal(first.text(`a ${stored} b`), 'a [redacted] b');
    assert.equal(await recorders(root, { MY_KEY: stored }), first);
    const second = await recorders(root, { MY_KEY: other });
    assert.equal(second.text(`a ${other} b`), 'a [redacted] b');
    environment.SOME_TOKEN = 'q7Lm2Zx9Tr4Vb6Ny8Kp3Wd5';
    assert.equal((await recorders(root, { MY_KEY: other })).text('a q7Lm2Zx9Tr4Vb6Ny8Kp3Wd5 b'), 'a [redacted] b');
  });
});
