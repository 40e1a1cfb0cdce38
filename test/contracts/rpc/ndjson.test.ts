import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeLine, LineSplitter, parseLine } from '../../../src/contracts/rpc/ndjson';

/** The messages that arrive when `text` comes in pieces of these lengths. */
function received(text: string, lengths: readonly number[]): unknown[] {
  const framing = new LineSplitter();
  const lines: string[] = [];
  let at = 0;
  for (const length of [...lengths, text.length]) {
    lines.push(...framing.push(text.slice(at, at + length)));
    at += length;
  }
  return lines.map(parseLine);
}

describe('NDJSON framing', () => {
  it('brings messages over, whatever pieces they come in', () => {
    const lengths = fc.array(fc.nat(12), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), lengths, (messages, pieces) => {
        const sent = JSON.parse(JSON.stringify(messages)) as unknown[];
        assert.deepEqual(received(messages.map(encodeLine).join(''), pieces), sent);
      }),
    );
  });

  it('puts a message on one line', () => {
    assert.equal(encodeLine({ text: 'a\nb\r\u2028' }).indexOf('\n'), encodeLine({ text: 'a\nb\r\u2028' }).length - 1);
  });

  it('carries a big integer as the nearest number', () => {
    assert.deepEqual(parseLine(encodeLine({ id: 18446744073709551615n, list: [1n] })), { id: 2 ** 64, list: [1] });
  });

  it('drops empty lines, takes CRLF, and keeps what is not yet complete', () => {
    const framing = new LineSplitter();
    assert.deepEqual(framing.push('\n \r\n{"a":1}\r\n{"b"').map(parseLine), [{ a: 1 }]);
    assert.deepEqual(framing.push(':2}\n').map(parseLine), [{ b: 2 }]);
  });

  it('passes over what is not JSON', () => {
    assert.deepEqual(received('Debugger attached.\n{"a":1}\n', []), [undefined, { a: 1 }]);
  });
});
