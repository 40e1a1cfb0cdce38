import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { findSecrets } from '../../../src/core/secrets/findSecrets';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { redactTape } from '../../../src/core/secrets/redactTape';
import { secretsLeft } from '../../../src/core/secrets/secretsLeft';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';

const PRIVATE = 'PRIVATE';
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');
const wrapped = (text: string, columns = 64): string =>
  text.match(new RegExp(`.{1,${columns}}`, 'g'))?.join('\n') ?? '';
const pem = (name: string, body: string): string => `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----\n`;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const locked = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'correct horse' } as const;

/** A key of each kind. */
const keys: Readonly<Record<string, string>> = {
  'RSA in PKCS #8': rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'RSA in PKCS #1': rsa.export({ type: 'pkcs1', format: 'pem' }).toString(),
  'EC in PKCS #8': ec.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'EC in SEC 1': ec.export({ type: 'sec1', format: 'pem' }).toString(),
  Ed25519: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'encrypted PKCS #8': ec.export({ type: 'pkcs8', ...locked }).toString(),
  'encrypted PKCS #1': rsa.export({ type: 'pkcs1', ...locked }).toString(),
  OpenSSH: pem(
    `OPENSSH ${PRIVATE} KEY`,
    wrapped(Buffer.concat([Buffer.from('openssh-key-v1\0\0\0\0\x04none'), randomBytes(300)]).toString('base64'), 70),
  ),
  PGP: pem(`PGP ${PRIVATE} KEY BLOCK`, `Version: GnuPG v2\n\n${wrapped(`lQ${base64(630)}`)}\n=aB3d`),
  PuTTY: `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ada@example\nPublic-Lines: 1\nAAAAC3Nz\nPrivate-Lines: 2\n${wrapped(base64(92))}\nPrivate-MAC: ${randomBytes(32).toString('hex')}\n`,
  'ssh.com': `---- BEGIN SSH2 ENCRYPTED ${PRIVATE} KEY ----\nComment: "1024-bit rsa"\n${wrapped(base64(500), 70)}\n---- END SSH2 ENCRYPTED ${PRIVATE} KEY ----\n`,
  age: `# public key: age1qpzry9x8gf2tvdw0s3jn54khce6mua7l\nAGE-SECRET-KEY-1${Array.from(randomBytes(58), (byte) => 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.charAt(byte % 32)).join('')}\n`,
};

const bodyOf = (key: string): string[] => key.split('\n').filter((line) => /^(?:AGE-|[A-Za-z0-9+/=]{12,}$)/.test(line));
const lines = (key: string, write: (line: string, number: number) => string): string =>
  key
    .split('\n')
    .map((line, index) => write(line, index + 1))
    .join('\n');

/** Layouts of a whole key, as agents and their tools write it. */
const layouts: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'in JSON': (key) => JSON.stringify(key),
  'in JSON in JSON': (key) => JSON.stringify({ arguments: JSON.stringify({ key }) }),
  'in JSON with escaped slashes': (key) => JSON.stringify(key).replaceAll('/', '\\/'),
  'percent-encoded': (key) => encodeURIComponent(key),
  'percent-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'with percent-encoded line breaks': (key) => key.replaceAll('\n', '%0A'),
  'as a parameter': (key) => `x=${encodeURIComponent(key)}`,
  'in a form': (key) => new URLSearchParams({ k: key }).toString(),
  'in base64': (key) => Buffer.from(key).toString('base64'),
  'in base64 after other data': (key) => Buffer.from(`x${key}`).toString('base64'),
  'in base64 of JSON': (key) => Buffer.from(JSON.stringify({ key })).toString('base64'),
  'in base64 of UTF-16': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  'in hexadecimal': (key) => Buffer.from(key).toString('hex'),
  'with entities': (key) => key.replaceAll('\n', '&#10;'),
  'with line breaks of HTML': (key) => key.replaceAll('\n', '<br>\n'),
  'in elements of HTML': (key) => lines(key, (line, number) => `<span class="line" id="L${number}">${line}</span>`),
  'in one line': (key) => key.replaceAll('\n', ' '),
  'without line breaks': (key) => key.replaceAll('\n', ''),
  'with the line breaks of Windows': (key) => key.replaceAll('\n', '\r\n'),
  'with empty lines': (key) => key.replaceAll('\n', '\n\n'),
  indented: (key) => key.replaceAll('\n', '\n    '),
  quoted: (key) => lines(key, (line) => `> ${line}`),
  'numbered with tabs': (key) => lines(key, (line, number) => `${number}\t${line}`),
  'numbered with arrows': (key) => lines(key, (line, number) => `${String(number).padStart(6)}→${line}`),
  'as grep prints it': (key) => lines(key, (line, number) => `certs/prod/server.key:${number}:${line}`),
  'as git blame prints it': (key) =>
    lines(key, (line, number) => `a1b2c3d4 (Ada L 2026-01-01 10:00 ${number}) ${line}`),
  'in a diff': (key) => lines(key, (line) => `+${line}`),
  'in a diff with colours': (key) => lines(key, (line) => `\u001b[32m+${line}\u001b[m`),
  commented: (key) => lines(key, (line) => `# ${line}`),
  'commented with slashes': (key) => lines(key, (line) => `//${line}`),
  'in a table': (key) => lines(key, (line, number) => `| ${number} | ${line} |`),
  concatenated: (key) => lines(key, (line) => `"${line}\\n" +`),
  'appended in a program': (key) => lines(key, (line) => `key.append("${line}\\n");`),
  'in a log': (key) => lines(key, (line, number) => `2026-01-01T10:00:00.${100 + number}Z stdout F ${line}`),
  'in a log of JSON': (key) =>
    lines(key, (line, number) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: `10:00:00.${number}Z` })),
  'as a list': (key) => JSON.stringify(key.split('\n')),
  'as a list of objects': (key) =>
    JSON.stringify(
      key.split('\n').map((text, line) => ({ line, text })),
      null,
      1,
    ),
};

const redactor = createRedactor();

/** What a text says when it is decoded in each way. */
function decoded(text: string): string {
  const unescaped = text.replaceAll('\\/', '/');
  const percent = /%25[2-7]/.test(text) ? decodeURIComponent(text) : text;
  const forms = [
    text,
    unescaped,
    percent,
    percent.replace(/%([2-7][\dA-F])/g, (_, hex: string) => Buffer.from(hex, 'hex').toString()),
  ];
  for (const [run] of text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g))
    forms.push(
      Buffer.from(run, 'base64').toString('latin1').replaceAll('\0', ''),
      Buffer.from(run, 'hex').toString('latin1'),
    );
  return forms.join('\n');
}

/** Whether a text contains a part of a line that cannot be there by chance. */
function tells(text: string, line: string): boolean {
  for (let at = 0; at + 12 <= line.length; at += 4) {
    const part = line.slice(at, at + 12);
    if (!/A{8}/.test(part) && text.includes(part)) return true;
  }
  return false;
}

describe('private keys', () => {
  for (const [kind, key] of Object.entries(keys)) {
    for (const [layout, write] of Object.entries(layouts)) {
      it(`are hidden, and found once: ${kind} ${layout}`, () => {
        const text = `here: ${write(key)}\n(end)`;
        const hidden = redactor.text(text);
        const body = bodyOf(key);
        assert.ok(body.length > 0 && body.every((line) => tells(decoded(text), line)), 'the test decodes it');
        assert.deepEqual(
          body.filter((line) => tells(decoded(hidden), line)),
          [],
          hidden,
        );
        assert.equal(redactor.text(hidden), hidden);
        assert.equal(redactor.search.find(text).length, 1);
        assert.ok(hidden.startsWith('here: ') && hidden.endsWith('(end)'), hidden);
      });
    }
  }

  it('leave the text around their lines as it is', () => {
    const key = keys['EC in PKCS #8'] ?? '';
    const hidden = (write: (line: string, number: number) => string): string => redactor.text(lines(key, write));
    assert.equal(
      hidden((line, number) => `${number}\t${line}`),
      `1\t-----BEGIN ${PRIVATE} KEY-----\n2\t[redacted:private-key]\n3\t[redacted:private-key]\n4\t[redacted:private-key]\n5\t-----END ${PRIVATE} KEY-----\n6\t`,
    );
    assert.deepEqual(JSON.parse(redactor.text(JSON.stringify(key.split('\n').slice(0, -1)))), [
      `-----BEGIN ${PRIVATE} KEY-----`,
      '[redacted:private-key]',
      '[redacted:private-key]',
      '[redacted:private-key]',
      `-----END ${PRIVATE} KEY-----`,
    ]);
    assert.equal(redactor.text(`a\n${key}b`), `a\n[redacted:private-key]-----END ${PRIVATE} KEY-----\nb`);
  });

  it('are hidden in a form if they are long', () => {
    const key = pem(`PGP ${PRIVATE} KEY BLOCK`, `\n${wrapped(`lQ${base64(11_997)}aBcD`)}\n=aB3d`);
    const hidden = redactor.text(new URLSearchParams({ key }).toString());
    assert.equal(hidden, `key=[redacted:private-key]-----END+PGP+${PRIVATE}+KEY+BLOCK-----%0A`);
  });

  it('are hidden where only one end of them is left', () => {
    for (const [kind, key] of Object.entries(keys)) {
      if (kind === 'age' || kind === 'PuTTY') continue;
      const body = bodyOf(key);
      const tail = key
        .split('\n')
        .slice(-Math.ceil(body.length / 2) - 2)
        .join('\n');
      const head = key.split('\n').slice(0, -2).join('\n');
      for (const text of [
        tail,
        head,
        lines(tail, (line, number) => `${number}\t${line}`),
        lines(head, (line) => `# ${line}`),
      ]) {
        const hidden = redactor.text(text);
        const longest = body.filter(({ length }) => length >= 40);
        assert.deepEqual(
          longest.filter((line) => tells(hidden, line)),
          [],
          `${kind}: ${text}\n${hidden}`,
        );
      }
    }
    assert.match(redactor.text(`cut: -----BEGIN ${PRIVATE} KEY-----\n${wrapped(base64(96))}\naB3dE5`), /key\]$/);
  });

  it('are hidden without their markers where their base64 says what they are', () => {
    const told = ['RSA in PKCS #8', 'RSA in PKCS #1', 'EC in PKCS #8', 'EC in SEC 1', 'Ed25519', 'OpenSSH'];
    for (const kind of told) {
      const body = (keys[kind] ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('--'));
      for (const text of [body.join('\n'), body.join(''), JSON.stringify({ key: body.join('') }), body.join('","')]) {
        const hidden = redactor.text(text);
        assert.deepEqual(
          bodyOf(keys[kind] ?? '').filter((line) => line.length >= 16 && tells(hidden, line)),
          [],
          `${kind}: ${hidden}`,
        );
      }
    }
  });

  it('are hidden in the lines of a list in a value, and in a body', () => {
    for (const [kind, key] of Object.entries(keys)) {
      const value = {
        parts: [{ type: 'tool_result', lines: key.split('\n') }],
        log: key.split('\n').map((text, line) => ({ line, text })),
        size: 3,
      };
      const clean = redactor.value(value);
      const body = redactor.body(Buffer.from(JSON.stringify(value)), [['content-type', 'application/json']]);
      for (const text of [JSON.stringify(clean), Buffer.from(body ?? []).toString()]) {
        assert.deepEqual(
          bodyOf(key).filter((line) => tells(text, line)),
          [],
          `${kind}: ${text}`,
        );
        assert.equal((JSON.parse(text) as typeof value).size, 3);
      }
    }
  });

  it('are hidden in the pieces of a stream', () => {
    for (const kind of ['EC in PKCS #8', 'OpenSSH']) {
      const key = keys[kind] ?? '';
      for (const [layout, write] of Object.entries(layouts)) {
        const text = write(key);
        for (const size of [3, 40]) {
          const id = 'chatcmpl-Bx1aY8hQm3T5s9dKfLzPq2RtUvWx0';
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          const stream = pieces
            .map((content) => `data: ${JSON.stringify({ id, choices: [{ delta: { content } }] })}\n\n`)
            .join('');
          const clean = Buffer.from(
            redactor.body(Buffer.from(stream), [['content-type', 'text/event-stream']]) ?? [],
          ).toString();
          const said = Array.from(
            clean.matchAll(/^data: (.*)$/gm),
            ([, data = '']) =>
              (JSON.parse(data) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content,
          ).join('');
          assert.deepEqual(
            bodyOf(key).filter((line) => tells(decoded(said), line)),
            [],
            `${kind} ${layout}: ${said}`,
          );
          assert.ok(clean.includes(id));
        }
      }
    }
  });

  it('are one finding on a tape, and hidden there', () => {
    for (const [kind, key] of Object.entries(keys)) {
      for (const [layout, write] of Object.entries(layouts)) {
        const messages = [{ role: 'user', content: `here: ${write(key)}\n(end)`, tool_call_id: null, tool_calls: [] }];
        const request = { messages, model: null, temperature: null, max_tokens: null, tool_names: [] };
        const interactions = [{ request, response: 'ok', tool_calls: [], usage: null }];
        const file = tapeFileFromText(JSON.stringify({ version: 1, case_name: 'a', interactions }), 'a.tape.json');
        assert.equal(secretsLeft(file).length, 1, `${kind} ${layout}`);
        const redaction = redactTape(file);
        assert.ok('splices' in redaction, `${kind} ${layout}: ${JSON.stringify(redaction)}`);
        const text = applySplices(file.text, redaction.splices);
        assert.deepEqual(
          bodyOf(key).filter((line) => tells(decoded(text), line)),
          [],
          `${kind} ${layout}: ${text}`,
        );
      }
    }
  });

  it('are not seen in what is public, left out, or only about them', () => {
    const [head, foot] = [`-----BEGIN ${PRIVATE} KEY-----`, `-----END ${PRIVATE} KEY-----`];
    const hex = randomBytes(32).toString('hex');
    const certificate = pem('CERTIFICATE', wrapped(`MIID${base64(800)}`));
    const innocent = [
      `A key starts with ${head} and ends with ${foot}; the hash is ${hex}.`,
      JSON.stringify([head, `-----BEGIN RSA ${PRIVATE} KEY-----`, 'AKIA', 'ghp_']),
      `-----BEGIN[ A-Z0-9_-]{0,100}${PRIVATE} KEY( BLOCK)?-----[\\s\\S-]*KEY( BLOCK)?----\nid = "${hex}"`,
      JSON.stringify({ header: head, fingerprint: hex, signature: base64(256) }),
      `if (!key.startsWith('${head}')) throw new InvalidPrivateKeyFormatError();\nreturn createPrivateKeyFromPkcs8();`,
      `const pem = "${head}\\n" + privateKeyContents.match(/.{1,64}/g).join("\\n") + "\\n${foot}";`,
      certificate,
      `${certificate}[redacted:private-key]${foot}\n${certificate}`,
      `${head}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC...\n${foot}`,
      `${head}\nYOUR_PRIVATE_KEY_CONTENT_HERE\n${foot}`,
      `${head}\n${'x'.repeat(64)}\n${foot}`,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      pem('PGP MESSAGE', `\n${wrapped(`hQ${base64(300)}`)}\n=aB3d`),
      `Public-Lines: 6\n${wrapped(`AAAAB3NzaC1yc2E${base64(270)}`)}\nPrivate-Lines: 14\n[redacted:private-key]Private-MAC: ${hex}`,
      Array.from(
        { length: 12 },
        (_, at) =>
          `data: ${JSON.stringify({ id: 'chatcmpl-Bx1aY8hQm3T5s9dKfLzPq2Rt', delta: at === 3 ? head : at === 7 ? foot : 'word' })}\n\n`,
      ).join(''),
    ];
    for (const text of innocent)
      for (const written of [text, JSON.stringify(text), encodeURIComponent(text)])
        assert.deepEqual(
          redactor.search.replacements(written).filter(({ hits }) => hits.some(({ rule }) => rule === 'private-key')),
          [],
          text,
        );
  });

  it('take no more than the time to read the text', () => {
    const [head, foot, word] = [
      `-----BEGIN ${PRIVATE} KEY-----`,
      `-----END ${PRIVATE} KEY-----`,
      'a1B2c3D4e5F6g7H8i9J0 ',
    ];
    for (const piece of [
      `${head}\n`,
      `${word}\n`,
      `${word}x ${foot}`,
      `${head}a b c `,
      'Private-Lines: 3\n',
      'MC4CAQAwBQYDK2Vw',
      '\\/',
      '%0A',
    ])
      findSecrets(head + piece.repeat(Math.ceil(500_000 / piece.length)) + foot);
  });
});
