import assert from 'node:assert/strict';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRedactor } from '../../../src/core/secrets/redactor';

const KEY = `sk-proj-${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'}`;
const VALUE = 'corr3ct/Horse"Battery+Staple';
const PLAIN = 'plainhorsebattery';

const redactor = createRedactor({ values: [VALUE, PLAIN] });
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const escaped = (text: string): string =>
  Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percents = (text: string): string =>
  Array.from(text, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** UTF-16 whose bytes were taken for characters. */
const wide = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1');

const hexadecimal = (before: number[], text: string, after: number[]): string =>
  Buffer.concat([Buffer.from(before), Buffer.from(text), Buffer.from(after)]).toString('hex');

/** Every spelling of a secret in a text, none of which may survive. */
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'in JSON': (secret) => JSON.stringify({ note: `it is ${secret}` }),
  'in JSON in JSON': (secret) => JSON.stringify({ a: JSON.stringify({ note: JSON.stringify({ secret }) }) }),
  'escaped at its start': (secret) =>
    `{"note":"${escaped(secret.slice(0, 1))}${JSON.stringify(secret.slice(1)).slice(1, -1)}"}`,
  'escaped throughout': (secret) => `{"note":"${escaped(secret)}"}`,
  'escaped twice': (secret) => JSON.stringify({ arguments: `{"note":"${escaped(secret)}"}` }),
  'with escaped slashes': (secret) => JSON.stringify({ note: secret }).replaceAll('/', '\\/'),
  'after an escaped line break': (secret) => JSON.stringify({ note: `first\n${secret}\nlast` }),
  'percent-encoded': (secret) => `https://host/path?x=${encodeURIComponent(secret)}&y=1`,
  'percent-encoded throughout': (secret) => `see https://host/${percents(secret)} there`,
  'percent-encoded twice': (secret) =>
    `https://host/?next=${encodeURIComponent(`https://other/${encodeURIComponent(secret)}`)}`,
  'in a form': (secret) => new URLSearchParams({ data: `it is ${secret} now`, id: '1' }).toString(),
  'in a form in a form': (secret) =>
    new URLSearchParams({ next: `https://other/?${new URLSearchParams({ q: `it is ${secret} now` })}` }).toString(),
  'in named entities': (secret) =>
    `<p title="&quot;${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}&quot;">`,
  'in a path': (secret) => `https://host/v1/${encodeURIComponent(secret)}/chat`,
  'in base64 in JSON': (secret) =>
    JSON.stringify({ data: base64(`{"note":"${JSON.stringify(secret).slice(1, -1)}"}`) }),
  'in URL-safe base64': (secret) => JSON.stringify({ data: Buffer.from(`???>>> ${secret}`).toString('base64url') }),
  'in base64 after an escape': (secret) => JSON.stringify({ data: `first\n${base64(`it is ${secret}`)}` }),
  'in wrapped base64': (secret) =>
    JSON.stringify({
      data: base64(`${'some text '.repeat(9)}${secret} ${'and more '.repeat(9)}`).replace(/.{76}/g, '$&\r\n'),
    }),
  'in a data URL': (secret) => JSON.stringify({ url: `data:text/plain;base64,${base64(`hello ${secret}`)}` }),
  'in a URL of base64': (secret) =>
    `https://host/files:${base64(`hello there, ${secret}`).replaceAll('/', '_')}/content`,
  'in gzip in base64': (secret) => JSON.stringify({ data: gzipSync(`hello ${secret}`).toString('base64') }),
  'in binary data in base64': (secret) =>
    JSON.stringify({
      data: Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(secret), Buffer.alloc(40)]).toString('base64'),
    }),
  'in UTF-16 in base64': (secret) =>
    JSON.stringify({ data: Buffer.from(`x ${secret} and`, 'utf16le').toString('base64') }),
  'in UTF-16, read as single bytes': (secret) => wide(`x ${secret} and`),
  'in UTF-16 with the higher byte first': (secret) => `\0${wide(`x ${secret} and`).slice(0, -1)}`,
  'in UTF-16 in JSON': (secret) => JSON.stringify({ note: wide(`x ${secret}`) }),
  'in UTF-16 at the end, before other text': (secret) => `${wide(`x ${secret}`)}HTTP/1.1`,
  'in base64 twice': (secret) => JSON.stringify({ data: base64(`inner: ${base64(`hello ${secret}`)}`) }),
  'in decimal entities': (secret) => `<p>${Array.from(secret, (char) => `&#${char.charCodeAt(0)};`).join('')}</p>`,
  'in hexadecimal entities': (secret) =>
    JSON.stringify(`<p>${Array.from(secret, (char) => `&#x${char.charCodeAt(0).toString(16)};`).join('')}</p>`),
  'in HTML': (secret) => `<p title="${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
  'in hexadecimal': (secret) => JSON.stringify({ data: Buffer.from(`it is ${secret}, yes`).toString('hex') }),
  'in hexadecimal, of a text that is not ASCII': (secret) =>
    `blob: ${Buffer.from(`schön ${secret} und`).toString('hex')}`,
  'in hexadecimal between other bytes': (secret) => hexadecimal([0, 1, 2, 255], secret, [254, 0]),
  'in hexadecimal in capitals': (secret) => JSON.stringify({ blob: hexadecimal([137], secret, [10, 0]).toUpperCase() }),
  'in hexadecimal as in code': (secret) => `const blob = 0x${hexadecimal([0, 200], secret, [])};`,
  'in hexadecimal as in a database': (secret) => JSON.stringify({ row: `\\x${hexadecimal([0, 200], secret, [1])}` }),
  'in UTF-16 in hexadecimal': (secret) =>
    JSON.stringify({ data: Buffer.from(wide(`x ${secret} and`)).toString('hex') }),
  'in a gzip in base64 before a line of YAML': (secret) =>
    `string: see ${gzipSync(`hello ${secret}`).toString('base64').replaceAll('=', '')}\n    headers: {}\n`,
  'in colours of a terminal': (secret) => `key: \u001b[31m${secret}\u001b[0m`,
};

/** The text with all that is encoded in it decoded, again and again. */
function unfolded(text: string): string {
  let all = text.replaceAll('\0', '');
  let last = text;
  for (let level = 0; level < 5; level += 1) {
    const plain = last
      .replace(/\\r\\n/g, '')
      .replace(/\\n/g, ' ')
      .replace(/\\(["\\/])/g, '$1')
      .replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll('&quot;', '"')
      .replaceAll('\0', '')
      .replace(/(?:[\da-f]{2}){16,}/gi, (digits) => `${digits} ${Buffer.from(digits, 'hex').toString()}`);
    const inside = Array.from(
      plain.matchAll(/[A-Za-z0-9+_-][A-Za-z0-9+/_-]{15,}=*|(?<=\/)[A-Za-z0-9+_-]{16,}=*/g),
      ([run]) => {
        const bytes = Buffer.from(run, 'base64');
        return (bytes[0] === 0x1f ? tryGunzip(bytes) : bytes).toString('latin1').replaceAll('\0', '');
      },
    );
    const next = [plain, ...inside].join('\n');
    all += `\n${next}`;
    last = next;
  }
  return all;
}

function tryGunzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

describe('the spellings of a secret', () => {
  for (const [name, spell] of Object.entries(spellings)) {
    for (const secret of [KEY, VALUE, PLAIN]) {
      it(`are hidden ${name}: ${secret.slice(0, 5)}…`, () => {
        const text = spell(secret);
        assert.ok(unfolded(text).includes(secret), `the test decodes it: ${text}`);
        const hidden = redactor.text(text);
        assert.ok(!unfolded(hidden).includes(secret), hidden);
        assert.ok(!unfolded(hidden).includes(secret.slice(0, -6)), hidden);
        assert.equal(redactor.text(hidden), hidden);
        if (text.startsWith('{')) assert.doesNotThrow(() => JSON.parse(hidden) as unknown, hidden);
      });
    }
  }

  it('are hidden in addresses: keys of paths, parameters, and passwords', () => {
    const cases: readonly (readonly [string, string])[] = [
      [
        'https://api.telegram.org/bot123456789:AAFdE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYzAb/send',
        'https://api.telegram.org/bot[redacted:telegram-token]/send',
      ],
      [`/v1/${KEY}/models`, '/v1/[redacted:openai-key]/models'],
      ['/oauth?code=4%2F0AX4XfWh-dE5fG7&scope=a', '/oauth?code=[redacted]&scope=a'],
      ['/v1?subscription-key=abcdef&api-version=2024', '/v1?subscription-key=[redacted]&api-version=2024'],
      ['/b/o?X-Goog-Signature=0a1b2c&X-Goog-Date=2', '/b/o?X-Goog-Signature=[redacted]&X-Goog-Date=2'],
      ['/c?sv=2022&sig=aB3dE5fG7h%3D&se=2026', '/c?sv=2022&sig=[redacted]&se=2026'],
      ['/x?access_token=abc#id_token=def', '/x?access_token=[redacted]#id_token=[redacted]'],
      ['postgres://app:correct%40horse@db/app', 'postgres://app:[redacted:url-password]@db/app'],
    ];
    for (const [url, clean] of cases) {
      assert.equal(redactor.url(url), clean);
      assert.equal(redactor.url(clean), clean);
    }
    assert.equal(redactor.url('/v1/models?code=200&page=2&limit=10'), '/v1/models?code=200&page=2&limit=10');
  });

  it('are hidden in headers that redirect', () => {
    assert.deepEqual(redactor.headers([['Location', 'https://app/cb?code=aB3dE5fG7h&state=x']]), [
      ['Location', 'https://app/cb?code=[redacted]&state=x'],
    ]);
  });

  it('are hidden in forms', () => {
    const form = redactor.body(Buffer.from('grant_type=password&username=ada&password=hunter&client_secret=abc'), [
      ['content-type', 'application/x-www-form-urlencoded'],
    ]);
    assert.equal(textOf(form), 'grant_type=password&username=ada&password=[redacted]&client_secret=[redacted]');
    const parts =
      '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\nlowercase\r\n--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--b--\r\n';
    const clean = textOf(redactor.body(Buffer.from(parts), [['content-type', 'multipart/form-data; boundary=b']]));
    assert.ok(clean.includes('name="api_key"\r\n\r\n[redacted]\r\n--b'), clean);
    assert.ok(clean.includes('\r\n\r\nbatch\r\n'), clean);
  });

  it('are hidden in connection strings and files of variables', () => {
    const account = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYaB3dE5fG7hJ9kL1mN3pQ5rA==';
    assert.equal(
      redactor.text(`AccountName=x;AccountKey=${account};EndpointSuffix=core`),
      'AccountName=x;AccountKey=[redacted];EndpointSuffix=core',
    );
    assert.equal(redactor.text('DB_PASSWORD=lowercasepassword\nMODE=fast'), 'DB_PASSWORD=[redacted]\nMODE=fast');
    assert.equal(
      redactor.text('Server=db;Password=lowercase;Encrypt=yes'),
      'Server=db;Password=[redacted];Encrypt=yes',
    );
  });

  it('are hidden at the end of a text that was cut off', () => {
    const cut = VALUE.slice(0, 12);
    assert.equal(redactor.text(`so ${cut}`), 'so [redacted]');
    assert.equal(redactor.text(`{"a":"so ${cut}"}`), '{"a":"so [redacted]"}');
    assert.equal(redactor.text(`so ${cut} on`), `so ${cut} on`);
  });
});
