import assert from 'node:assert/strict';
import { readableOnDiff } from '../../../../webview-ui/review/diff/contrast';

const LIGHT = {
  'editor.background': '#ffffff',
  'diffEditor.removedLineBackground': '#ff000033',
  'diffEditor.removedTextBackground': '#ad070726',
};

describe('the colours of tokens in a diff', () => {
  it('stay what they are where they can be read on every background', () => {
    assert.equal(readableOnDiff('#0451a5', { 'editor.background': '#ffffff' }), '#0451a5');
    assert.equal(readableOnDiff('#000000', LIGHT), '#000000');
  });

  it('are darkened until they can be read in removed text', () => {
    const green = readableOnDiff('#098658', LIGHT);
    assert.match(green, /^#[0-9a-f]{6}$/);
    const [red = 255, middle = 255] = [1, 3].map((at) => Number.parseInt(green.slice(at, at + 2), 16));
    assert.ok(middle < 0x86 && middle > red, `${green} is a darker green`);
  });

  it('are lightened in a dark theme, and keep their hue', () => {
    const dark = { 'editor.background': '#121314', 'diffEditor.removedTextBackground': '#f470674d' };
    const brown = readableOnDiff('#ce9178', { ...dark, 'diffEditor.removedLineBackground': '#c93c3726' });
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(brown.slice(at, at + 2), 16));
    assert.ok(red > 0xce && red > green && green > blue, brown);
  });

  it('end at black or white where nothing nearer can be read', () => {
    const odd = { 'editor.background': '#ffffff', 'diffEditor.removedLineBackground': '#606060' };
    assert.equal(readableOnDiff('#404040', odd), '#000000');
  });

  it('stay what they are in a theme without an editor background', () => {
    assert.equal(readableOnDiff('#098658', {}), '#098658');
  });
});
