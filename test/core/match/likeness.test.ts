import assert from 'node:assert/strict';
import fc from 'fast-check';
import { likenessOf } from '../../../src/core/match/likeness';

const body = fc.json({ maxDepth: 4 });

/** The same value, written in another way. */
function rewritten(value: unknown, isEscaped: boolean): string {
  if (Array.isArray(value)) return `[ ${value.map((item) => rewritten(item, isEscaped)).join(' ,')}\n]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).reverse();
    return `{\t${members.map(([key, item]) => `${text(key, isEscaped)} : ${rewritten(item, isEscaped)}`).join(',\n  ')}}`;
  }
  if (typeof value === 'string') return text(value, isEscaped);
  return typeof value === 'number' && Number.isInteger(value) ? value.toExponential() : JSON.stringify(value);
}

function text(value: string, isEscaped: boolean): string {
  const plain = JSON.stringify(value);
  if (!isEscaped) return plain;
  const escaped = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'));
  return `"${escaped.map((code) => `\\u${code}`).join('')}"`;
}

describe('The likeness of the bodies of requests', () => {
  it('is the same for the same JSON, however it is written', () => {
    fc.assert(
      fc.property(body, fc.boolean(), (json, isEscaped) => {
        const value: unknown = JSON.parse(json);
        assert.equal(likenessOf(rewritten(value, isEscaped)), likenessOf(json));
      }),
    );
  });

  it('does not depend on a name of a model, which may stand in the address', () => {
    const question = '"messages":[{"role":"user","content":"model"}]';
    const like = likenessOf(`{${question}}`);
    assert.equal(likenessOf(`{"model": "gpt-4o",${question}}`), like);
    assert.equal(likenessOf(`{${question},"model"\n:"a \\"b\\""}`), like);
    assert.notEqual(likenessOf(`{${question},"user":"gpt-4o"}`), like);
  });

  it('tells requests apart by any of their texts, but for the middle of long ones', () => {
    const long = 'x'.repeat(400);
    const bodies = ['a', 'b', '1', '2', '', `${long}1`, `1${long}`, `${long}x`, 'a\n', 'a\\'].map((content) =>
      JSON.stringify({ messages: [{ role: 'user', content }], temperature: 0 }),
    );
    assert.equal(new Set(bodies.map(likenessOf)).size, bodies.length);
  });

  it('is 0 for what is no object or list, or is broken', () => {
    for (const text of ['', 'a=b', '"text"', '7', '{"a', '{"a\\', '["\\x"]', '{"model":"m', '\0{}'])
      assert.equal(likenessOf(text), 0, text);
    assert.equal(likenessOf('\uFEFF {"a":1}'), likenessOf('{"a":1}'));
  });
});
