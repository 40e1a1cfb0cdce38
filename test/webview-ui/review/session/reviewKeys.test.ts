import assert from 'node:assert/strict';
import { keyLabel } from '../../../../webview-ui/base/keyLabel';
import { actionOf, type KeyStroke } from '../../../../webview-ui/review/session/reviewKeys';

const stroke = (key: string, modifiers: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  ...modifiers,
});

describe('the keys of a review', () => {
  it('go to the next and the previous change', () => {
    for (const key of ['n', 'j', 'F7']) assert.equal(actionOf(stroke(key)), 'next');
    for (const key of ['p', 'k']) assert.equal(actionOf(stroke(key)), 'previous');
    assert.equal(actionOf(stroke('F7', { shiftKey: true })), 'previous');
  });

  it('distinguish accept from accept all', () => {
    assert.equal(actionOf(stroke('a')), 'accept');
    assert.equal(actionOf(stroke('A', { shiftKey: true })), 'acceptAll');
  });

  it('know ? on every keyboard layout', () => assert.equal(actionOf(stroke('?', { shiftKey: true })), 'help'));

  it('leave copying, saving and the commands of VS Code alone', () => {
    assert.equal(actionOf(stroke('a', { ctrlKey: true })), undefined);
    assert.equal(actionOf(stroke('s', { metaKey: true })), undefined);
    assert.equal(actionOf(stroke('F7', { altKey: true })), undefined);
    assert.equal(actionOf(stroke('x')), undefined);
  });

  it('decide once for a key that is held down, but keep moving', () => {
    assert.equal(actionOf(stroke('a', { repeat: true })), undefined);
    assert.equal(actionOf(stroke('r', { repeat: true })), undefined);
    assert.equal(actionOf(stroke('n', { repeat: true })), 'next');
  });

  it('are written as on the keyboard', () => {
    assert.deepEqual(['a', 'A', 'F7', '?'].map(keyLabel), ['A', 'Shift+A', 'F7', '?']);
  });
});
