import assert from 'node:assert/strict';
import { formFields, multipartType } from '../../../../src/core/wire/body/formFields';

const TYPE = 'multipart/form-data; boundary="x-1234"';
const form = (...parts: readonly string[]): Uint8Array =>
  new TextEncoder().encode(`${parts.map((part) => `--x-1234\r\n${part}\r\n`).join('')}--x-1234--\r\n`);

describe('formFields', () => {
  it('reads fields, files and lists by their names', () => {
    const fields = formFields(
      form(
        'Content-Disposition: form-data; name="model"\r\n\r\nwhisper-1',
        'Content-Disposition: form-data; name="hours[]"\r\n\r\n1',
        'Content-Disposition: form-data; name="hours[]"\r\n\r\n2',
        'Content-Disposition: form-data; name="file"; filename="ä.txt"\r\nContent-Type: text/plain\r\n\r\none\r\ntwo',
      ),
      TYPE,
    );
    assert.deepEqual(fields, {
      model: 'whisper-1',
      'hours[]': ['1', '2'],
      file: { filename: 'ä.txt', type: 'text/plain', text: 'one\r\ntwo' },
    });
  });

  it('leaves every other body alone', () => {
    assert.equal(formFields(form('no head'), TYPE), undefined);
    assert.equal(formFields(new Uint8Array(), TYPE), undefined);
    assert.equal(formFields(form('Content-Disposition: form-data; name="a"\r\n\r\n1'), 'text/plain'), undefined);
    assert.equal(
      formFields(form('Content-Disposition: form-data; name="a"\r\n\r\n1'), 'multipart/mixed; boundary=x-1234'),
      undefined,
    );
  });
});

describe('multipartType', () => {
  it('knows a form by its first and its last line, where a tape has no header of the request', () => {
    const one = form('Content-Disposition: form-data; name="a"\r\n\r\n1');
    const type = multipartType(one) ?? assert.fail();
    assert.deepEqual(formFields(one, type), { a: '1' });
    assert.equal(multipartType(one.subarray(0, one.length - 2)), type, 'without the last line break');
  });

  it('takes no other body for one', () => {
    const others = ['', '--', '-- a comment\r\nselect 1', '--x-1234\r\nno end', '--x-1234\r\n--x-12345--', '{"a":1}'];
    for (const text of others) assert.equal(multipartType(new TextEncoder().encode(text)), undefined, text);
  });
});
