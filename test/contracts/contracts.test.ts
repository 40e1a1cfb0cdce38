import assert from 'node:assert/strict';
import { engine } from '../../src/contracts/engine/engine';
import { externalLink } from '../../src/contracts/externalLink';
import { reviewPage } from '../../src/contracts/pages/reviewPanel';
import { transcriptPage } from '../../src/contracts/transcript/transcript';
import { accepts } from '../../src/core/schema/accepts';
import { guardsOf } from '../harness/contractEnds';

const engineGuards = guardsOf(engine.calls);
const reviewGuards = guardsOf(reviewPage.calls);
const transcriptGuards = guardsOf(transcriptPage.calls);

const run = { runId: '1', root: 'r', casePaths: ['a.toml'], mode: 'replay', keys: { OPENAI_API_KEY: 'k' } };
const subject = { kind: 'run', path: 'a.toml' };
const decide = { root: 'r', subject, verdict: 'accepted', changes: ['x1'], stamp: 's' };

describe('the contract of the engine', () => {
  it('lets proper calls through', () => {
    assert.ok(engineGuards.hello(undefined));
    assert.ok(engineGuards.run(run));
    assert.ok(engineGuards.decide(decide));
    assert.ok(engineGuards.decide({ ...decide, verdict: 'rejected', reason: 'why' }));
    assert.ok(engineGuards.stage({ root: 'r' }));
    assert.ok(engineGuards.stage({ root: 'r', subject }));
  });

  it('stops calls with a part missing or wrong', () => {
    for (const key of Object.keys(run)) assert.ok(!engineGuards.run({ ...run, [key]: undefined }), key);
    for (const key of Object.keys(decide)) assert.ok(!engineGuards.decide({ ...decide, [key]: 1 }), key);
    assert.ok(!engineGuards.run({ ...run, mode: 'scripted' }));
    assert.ok(!engineGuards.run({ ...run, casePaths: 'a.toml' }));
    assert.ok(!engineGuards.run({ ...run, keys: { OPENAI_API_KEY: 5 } }));
    assert.ok(!engineGuards.hello({}));
    for (const path of ['../a.toml', '/a.toml', 'a/../../b.toml', ''])
      assert.ok(!engineGuards.decide({ ...decide, subject: { kind: 'run', path } }), path);
    assert.ok(!engineGuards.decide({ ...decide, subject: { kind: 'file', path: 'a.toml' } }));
  });

  it('knows its events', () => {
    assert.ok(accepts(engine.events.run, { runId: '1', type: 'started', casePath: 'a' }));
    assert.ok(!accepts(engine.events.run, { runId: '1', type: 'exploded', casePath: 'a' }));
    assert.ok(!accepts(engine.events.run, null));
  });
});

describe('the contract of the review', () => {
  const decision = { verdict: 'accepted', changes: ['x1'], stamp: 's' };

  it('takes lists of changes of the files that were seen', () => {
    assert.ok(reviewGuards.decide(decision));
    assert.ok(reviewGuards.decide({ ...decision, verdict: 'rejected', changes: [] }));
    const wrong = [
      { ...decision, changes: 'x1' },
      { ...decision, changes: [1] },
      { ...decision, verdict: 'accept' },
    ];
    for (const params of [undefined, {}, ...wrong]) assert.ok(!reviewGuards.decide(params));
    assert.ok(!reviewGuards.decide({ verdict: 'rejected', changes: ['x1'] }));
  });

  it('takes one change to open', () => {
    assert.ok(reviewGuards.openDiff({ id: 'x1' }));
    assert.ok(!reviewGuards.openDiff({ id: ['x1'] }));
  });
});

describe('the contract of the transcript', () => {
  it('takes indexes of interactions', () => {
    assert.ok(transcriptGuards.source({ interaction: 0 }));
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
    for (const url of others) assert.ok(!accepts(externalLink, url), String(url));
  });
});
