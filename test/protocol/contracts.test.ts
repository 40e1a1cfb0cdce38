import assert from 'node:assert/strict';
import { engineGuards, isRunEvent } from '../../src/protocol/engine';
import { isExternalLink } from '../../src/protocol/guards';
import { reviewGuards } from '../../src/protocol/reviewPanel';
import { transcriptGuards } from '../../src/protocol/transcript';

const run = { runId: '1', root: 'r', casePaths: ['a.toml'], mode: 'replay', keys: { OPENAI_API_KEY: 'k' } };
const decide = { root: 'r', casePath: 'a.toml', ids: ['x1'], stamp: 's' };

describe('the contract of the engine', () => {
  it('lets proper calls through', () => {
    assert.ok(engineGuards.hello(undefined));
    assert.ok(engineGuards.run(run));
    assert.ok(engineGuards.accept(decide));
    assert.ok(engineGuards.reject(decide));
  });

  it('stops calls with a part missing or wrong', () => {
    for (const key of Object.keys(run)) assert.ok(!engineGuards.run({ ...run, [key]: undefined }), key);
    for (const key of Object.keys(decide)) assert.ok(!engineGuards.accept({ ...decide, [key]: 1 }), key);
    assert.ok(!engineGuards.run({ ...run, mode: 'scripted' }));
    assert.ok(!engineGuards.run({ ...run, casePaths: 'a.toml' }));
    assert.ok(!engineGuards.run({ ...run, keys: { OPENAI_API_KEY: 5 } }));
    assert.ok(!engineGuards.hello({}));
  });

  it('knows its events', () => {
    assert.ok(isRunEvent({ runId: '1', type: 'started', casePath: 'a' }));
    assert.ok(!isRunEvent({ runId: '1', type: 'exploded', casePath: 'a' }));
    assert.ok(!isRunEvent(null));
  });
});

describe('the contract of the review', () => {
  const decision = { ids: ['x1'], stamp: 's' };

  it('takes lists of changes of the files that were seen', () => {
    assert.ok(reviewGuards.accept(decision));
    assert.ok(reviewGuards.reject({ ...decision, ids: [] }));
    for (const params of [undefined, {}, { ...decision, ids: 'x1' }, { ...decision, ids: [1] }])
      assert.ok(!reviewGuards.accept(params));
    assert.ok(!reviewGuards.reject({ ids: ['x1'] }));
  });

  it('takes one change to open', () => {
    assert.ok(reviewGuards.openDiff({ id: 'x1' }));
    assert.ok(!reviewGuards.openDiff({ id: ['x1'] }));
  });
});

describe('the contract of the transcript', () => {
  it('takes indexes of interactions', () => {
    assert.ok(transcriptGuards.raw({ interaction: 0 }));
    for (const interaction of [-1, 0.5, '0', null]) assert.ok(!transcriptGuards.revealSource({ interaction }));
  });

  it('opens web and mail addresses only', () => {
    for (const url of [
      'https://example.com',
      'http://localhost:1/x?y#z',
      'mailto:a@example.com',
      'HTTPS://EXAMPLE.COM',
    ])
      assert.ok(transcriptGuards.openLink({ url }), url);
    const others = [
      'file:///etc/passwd',
      'command:workbench.action.quit',
      'javascript:alert(1)',
      'vscode://x',
      '/x',
      '',
      7,
    ];
    for (const url of others) assert.ok(!isExternalLink(url), String(url));
  });
});
