import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatProblem, LineIndex } from '../../../src/core/text/source';

const texts = fc.array(fc.constantFrom('a', 'é', '\u{1F600}', '\n', '\r\n', '\r', '\t', '\u2028'), { maxLength: 40 });
const text = texts.map((parts) => parts.join(''));

describe('LineIndex', () => {
  it('converts every position back to its offset', () => {
    fc.assert(
      fc.property(text, (source) => {
        const lines = new LineIndex(source);
        for (let offset = 0; offset <= source.length; offset += 1)
          assert.equal(lines.offset(lines.position(offset)), offset);
      }),
    );
  });

  it('counts lines by line feeds and columns in UTF-16 units, from 1', () => {
    fc.assert(
      fc.property(text, (source) => {
        const lines = new LineIndex(source);
        for (let offset = 0; offset <= source.length; offset += 1) {
          const before = source.slice(0, offset).split('\n');
          assert.deepEqual(lines.position(offset), { line: before.length, column: (before.at(-1) ?? '').length + 1 });
        }
      }),
    );
  });

  it('counts CRLF as one line end, and an astral character as two columns', () => {
    const lines = new LineIndex('one\r\n\u{1F600}x\r\nthree');
    assert.deepEqual(lines.position(5), { line: 2, column: 1 });
    assert.deepEqual(lines.position(7), { line: 2, column: 3 });
    assert.deepEqual(lines.position(10), { line: 3, column: 1 });
  });

  it('clamps positions outside the text', () => {
    const lines = new LineIndex('ab\ncd');
    assert.deepEqual(lines.position(-5), { line: 1, column: 1 });
    assert.deepEqual(lines.position(99), { line: 2, column: 3 });
    assert.equal(lines.offset({ line: 9, column: 1 }), 5);
    assert.equal(lines.offset({ line: 2, column: 99 }), 5);
  });

  it('has one empty line for an empty text', () => {
    const lines = new LineIndex('');
    assert.deepEqual(lines.position(0), { line: 1, column: 1 });
    assert.equal(lines.offset({ line: 1, column: 1 }), 0);
  });
});

describe('formatProblem', () => {
  const span = { start: 5, end: 6 };
  const lines = new LineIndex('name\n= 1');

  it('prints the file, position, severity, message and fix', () => {
    const problem = { severity: 'error', message: 'invalid value', fix: 'Use a string.', span } as const;
    assert.equal(formatProblem('a.toml', lines, problem), 'a.toml:2:1: error: invalid value\n  Use a string.');
  });

  it('is one line without a fix', () => {
    const problem = { severity: 'warning', message: 'odd', span } as const;
    assert.equal(formatProblem('a.toml', lines, problem), 'a.toml:2:1: warning: odd');
  });
});
