import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseCommandArgument, requireTapeUri } from '../../src/host/base/commandArguments';

const uri = vscode.Uri.file('/project/cases/greeting.toml');

describe('the arguments of commands', () => {
  it('tells no argument from one of an unsupported type', () => {
    assert.deepEqual(parseCommandArgument(undefined), { type: 'none' });
    for (const value of [null, 7, 'text', [], {}, { type: 'case' }, { type: 1, resource: uri }, { test: null }])
      assert.deepEqual(parseCommandArgument(value), { type: 'unsupported' });
  });

  it('parses files, nodes of trees and files of the SCM view', () => {
    assert.deepEqual(parseCommandArgument(uri), { type: 'uri', uri });
    const node = { type: 'case', resource: uri };
    assert.deepEqual(parseCommandArgument({ ...node, owner: 'another' }), { type: 'node', node });
    const review = { type: 'review', resource: uri, about: 'run' };
    assert.deepEqual(parseCommandArgument({ ...review, review: {} }), { type: 'node', node: review });
    assert.deepEqual(parseCommandArgument({ ...node, about: 'other' }), { type: 'node', node });
    assert.deepEqual(parseCommandArgument({ type: 'section', section: 'open' }), { type: 'section' });
    // The type of git's resource states is a number.
    assert.deepEqual(parseCommandArgument({ type: 5, resourceUri: uri }), { type: 'scm', uri });
  });

  it('takes the versions that git compares, and the command of other providers', () => {
    const [before, after] = [uri.with({ scheme: 'git' }), uri];
    const opened = (given: unknown) => ({
      resourceUri: uri,
      command: { title: 'Open', command: 'vscode.diff', arguments: given },
    });
    const scm = { type: 'scm', uri };
    assert.deepEqual(parseCommandArgument(opened([before, after, 'a'])), { ...scm, versions: { before, after } });
    const openCommand = { command: 'vscode.diff', arguments: [uri, undefined] };
    assert.deepEqual(parseCommandArgument(opened([uri, undefined])), { ...scm, openCommand });
    const none = { command: 'vscode.diff', arguments: [] };
    assert.deepEqual(parseCommandArgument(opened(undefined)), { ...scm, openCommand: none });
    for (const odd of [opened('a'), { resourceUri: uri, command: { command: 3 } }, { resourceUri: uri, command: 'x' }])
      assert.deepEqual(parseCommandArgument(odd), scm);
  });

  it('parses the target of a test’s lens and a failed test', () => {
    const target = { file: uri, test: 'TestOrders::test_status' };
    assert.deepEqual(parseCommandArgument(target), { type: 'testTarget', target });
    assert.deepEqual(parseCommandArgument({ ...target, file: uri.path }), { type: 'unsupported' });
    const test = { id: uri.toString(), label: 'greeting' };
    const failure = { testId: test.id, message: undefined };
    assert.deepEqual(parseCommandArgument({ test }), { type: 'failedTest', failure });
    const message = vscode.TestMessage.diff('differs', 'one', 'two');
    const failed = parseCommandArgument({ test, message });
    assert.ok(failed.type === 'failedTest');
    assert.equal(failed.failure.message, message);
  });

  it('parses the plain JSON of a drift, without what is invalid in it', () => {
    const drift = { case: uri.toString(), at: 2, masks: ['id'] };
    assert.deepEqual(parseCommandArgument(drift), { type: 'drift', drift });
    const invalid = { case: drift.case, at: -1, masks: ['id', 7] };
    assert.deepEqual(parseCommandArgument(invalid), { type: 'drift', drift: { case: drift.case } });
    assert.deepEqual(parseCommandArgument({ ...drift, at: 2.5 }), { type: 'drift', drift });
    assert.deepEqual(parseCommandArgument({ at: 2 }), { type: 'unsupported' });
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, '2', null, [2]])
      assert.deepEqual(parseCommandArgument({ case: drift.case, at }), { type: 'drift', drift: { case: drift.case } });
  });

  it('takes the tape of a URI or node before the active one, and requires one of them', () => {
    const active = vscode.Uri.file('/project/tapes/active.tape.json');
    assert.equal(requireTapeUri(parseCommandArgument(uri), active), uri);
    assert.equal(requireTapeUri(parseCommandArgument({ type: 'tape', resource: uri }), active), uri);
    assert.equal(requireTapeUri({ type: 'none' }, active), active);
    assert.throws(() => requireTapeUri({ type: 'none' }, undefined), /No tape is selected/);
  });
});
