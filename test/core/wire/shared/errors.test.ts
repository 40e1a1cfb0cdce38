import assert from 'node:assert/strict';
import { PROTOCOLS } from '../../../../src/core/wire/registry';
import { httpErrorMessage } from '../../../../src/core/wire/shared/errors';

describe('the error of a provider', () => {
  const error = { status: 400, code: 'tapedeck_no_recording', message: 'There is no recording.' };

  for (const { id, writeError } of PROTOCOLS)
    it(`is read as it was written: ${id}`, () => {
      const { body, headers = {} } = writeError(error);
      const read = httpErrorMessage(400, body, undefined, Object.entries(headers));
      assert.match(read, /^HTTP 400\b.*: There is no recording\.$/);
    });
});
