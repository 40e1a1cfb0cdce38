import assert from 'node:assert/strict';
import { readableOnDiff } from '../../../../webview-ui/review/diff/contrast';

const LIGHT = {
  'editor.background': '#ffffff',
  'editor.foreground': '#202020',
  'diffEditor.removedLineBackground': '#ff000033',
  'diffEditor.removedTextBackground': '#ad070726',
};

describe('the colours of tokens in a diff', () => {
  it('stay what they are where they can be read on every background', () => {
    assert.equal(
      readableOnDiff('#0451a5', { 'editor.background': '#ffffff', 'editor.foreground': '#202020' }),
      '#0451a5',
    );
    assert.equal(readableOnDiff('#000000', LIGHT), '#000000');
  });

  it('move towards plain text until they can be read in removed text', () => {
    const green = readableOnDiff('#098658', LIGHT);
    assert.match(green, /^#[0-9a-f]{6}$/);
    const [red = 255, middle = 255] = [1, 3].map((at) => Number.parseInt(green.slice(at, at + 2), 16));
    assert.ok(middle < 0x86 && middle > red, `${green} is a darker green`);
  });

  it('are those of plain text where nothing nearer can be read', () => {
    const low = { 'editor.background': '#808080', 'editor.foreground': '#707070' };
    assert.equal(readableOnDiff('#909090', low), '#707070');
  });

  it('stay what they are in a theme without an editor background', () => {
    assert.equal(readableOnDiff('#098658', {}), '#098658');
  });
});
