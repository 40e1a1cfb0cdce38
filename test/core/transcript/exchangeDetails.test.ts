import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { HttpHeader } from '../../../src/core/model/http';
import { formatById } from '../../../src/core/tapes/registry';
import { isRecordable, newTapeFile } from '../../../src/core/tapes/writableFormat';
import { exchangeDetails } from '../../../src/core/transcript/exchangeDetails';
import { bodyFromBytes } from '../../../src/core/wire/body/body';

/** The label and text under which the body of a response is shown, and the summary of the interaction. */
function shown(bytes: Uint8Array, ...headers: HttpHeader[]): readonly unknown[] {
  const format = formatById('tapedeck');
  assert.ok(isRecordable(format));
  const http = {
    method: 'GET',
    url: 'https://files.example/a',
    requestHeaders: [],
    requestBody: { type: 'none' },
    status: 200,
    responseHeaders: headers,
    responseBody: bodyFromBytes(bytes),
  } as const;
  const [interaction] = format.read(newTapeFile(format, 'n', [{ kind: 'http', http }])).interactions;
  assert.ok(interaction);
  const body = exchangeDetails(interaction).at(-1);
  return [body?.label, body?.text, interaction.summary];
}

describe('the details of an exchange', () => {
  const TYPE: HttpHeader = ['content-type', 'application/gzip'];

  it('name a file whose content is shown, and count its own bytes', () => {
    const file = gzipSync('some rows');
    const size = `application/gzip, ${file.length} bytes`;
    assert.deepEqual(shown(file, TYPE), ['Response body, content of a gzip file', 'some rows', size]);
    const archive = gzipSync(Buffer.from([0xff, 0, 0xfe]));
    const counted = `application/gzip, ${archive.length} bytes`;
    assert.deepEqual(shown(archive, TYPE), ['Response body', counted, counted]);
  });

  it('show what HTTP compressed as it was before', () => {
    const coded: HttpHeader[] = [
      ['content-type', 'text/plain'],
      ['content-encoding', 'gzip'],
    ];
    assert.deepEqual(shown(gzipSync('some rows'), ...coded), ['Response body', 'some rows', 'text/plain, 9 bytes']);
  });
});
