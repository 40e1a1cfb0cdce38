import assert from 'node:assert/strict';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { convertTape } from '../../../src/core/tapes/convert';
import { formatById, formats } from '../../../src/core/tapes/registry';
import { isWritable, newTapeFile } from '../../../src/core/tapes/writableFormat';
import { isExpired, isUndated } from '../../../src/core/verify/staleRecordings';

const SENT = 'Wed, 21 Oct 2026 07:28:00 GMT';

function exchange(...responseHeaders: readonly (readonly [string, string])[]): RecordedInteraction {
  const http = {
    method: 'POST',
    url: 'https://api.example.com/v1/things',
    requestHeaders: [],
    requestBody: { type: 'text', text: '{}' },
    status: 200,
    responseHeaders,
    responseBody: { type: 'text', text: 'stored' },
  } as const;
  return { kind: 'http', http };
}

const WRITABLE = formats.filter(isWritable).filter((format) => !format.isHandWritten);
/** Formats in which this exchange has its headers, or a date. */
const DATED = WRITABLE.filter((format) => {
  const { interactions } = format.read(newTapeFile(format, 'n', [exchange(['date', SENT])]));
  return interactions[0]?.http !== undefined;
});

describe('the date of a recording', () => {
  for (const format of DATED) {
    it(`is the one that the server said, where ${format.id} has no other`, () => {
      const [read] = format.read(newTapeFile(format, 'n', [exchange(['Date', SENT])])).interactions;
      assert.ok(read);
      const isKept = read.http?.responseHeaders.length !== 0;
      if (isKept) assert.equal(Date.parse(read.timing?.recordedAt ?? ''), Date.parse(SENT));
      if (isKept) assert.equal(isExpired(read, 30, new Date('2026-12-24T00:00:00Z')), true);
    });

    it(`and how long it took are invented by ${format.id} for nobody`, () => {
      const written = newTapeFile(format, 'n', [exchange()]);
      const [read] = format.read(written).interactions;
      assert.ok(read);
      assert.deepEqual([read.timing?.recordedAt, read.timing?.durationMs], [undefined, undefined], written.text);
      assert.equal(isUndated(read), true);
      assert.equal(isExpired(read, 30, new Date()), false);
      const tape = format.read(written);
      for (const target of DATED) {
        const { undated, file } = convertTape(tape, 'n', target);
        const claims = /1970/.test(file.text) || /"timestamp": 0\b/.test(file.text);
        assert.equal(undated, target.needsDates ? 1 : 0);
        assert.equal(claims, target.needsDates === true, `${target.id}\n${file.text}`);
        const [after] = target.read(file).interactions;
        assert.equal(after?.timing?.recordedAt, undefined, target.id);
      }
    });
  }

  it('is none where a server says none that can be read, or 1970', () => {
    const format = formatById('vcrpy');
    assert.ok(isWritable(format));
    for (const said of ['soon', '', '0', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      const { interactions } = format.read(newTapeFile(format, 'n', [exchange(['date', said])]));
      assert.deepEqual(interactions.map(isUndated), [true], said);
    }
  });
});
