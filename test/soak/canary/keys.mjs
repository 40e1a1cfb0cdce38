// Private keys of the canary soak, and the layouts in which agents and their tools write them.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

const PRIVATE = 'PRIVATE';
/** @param {string} name @param {Buffer} bytes @param {number} columns */
const block = (name, bytes, columns) =>
  `-----BEGIN ${name}-----\n${bytes.toString('base64').replace(new RegExp(`.{${columns}}(?=.)`, 'g'), '$&\n')}\n-----END ${name}-----\n`;

/** @type {Record<string, () => string>} */
const KEYS = {
  RSA: () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  EC: () =>
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  OpenSSH: () =>
    block(
      `OPENSSH ${PRIVATE} KEY`,
      Buffer.concat([Buffer.from('openssh-key-v1\0\0\0\0\x04none'), randomBytes(300)]),
      70,
    ),
  PGP: () => block(`PGP ${PRIVATE} KEY BLOCK`, Buffer.concat([Buffer.from([0x95, 0x01]), randomBytes(400)]), 64),
  PuTTY: () => {
    const lines =
      randomBytes(200)
        .toString('base64')
        .match(/.{1,64}/g) ?? [];
    return `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: ada\nPublic-Lines: 1\nAAAAB3Nz\nPrivate-Lines: ${lines.length}\n${lines.join('\n')}\nPrivate-MAC: ${randomBytes(32).toString('hex')}\n`;
  },
};

/** @param {string} key @param {(line: string, number: number) => string} write */
const lines = (key, write) =>
  key
    .split('\n')
    .map((line, at) => write(line, at + 1))
    .join('\n');

/** @type {Record<string, (key: string) => string>} */
const LAYOUTS = {
  'as it is': (key) => key,
  'in JSON': (key) => JSON.stringify(key),
  'percent-encoded': (key) => encodeURIComponent(key),
  'as a parameter': (key) => `x=${encodeURIComponent(key)}`,
  'in a form': (key) => new URLSearchParams({ k: key }).toString(),
  'in base64': (key) => Buffer.from(key).toString('base64'),
  'in base64 at an offset': (key) => Buffer.from(`x${key}`).toString('base64'),
  'in base64 of JSON': (key) => Buffer.from(JSON.stringify({ key })).toString('base64'),
  'in hexadecimal': (key) => Buffer.from(key).toString('hex'),
  'with entities': (key) => key.replaceAll('\n', '&#10;'),
  'on one line': (key) => key.replaceAll('\n', ' '),
  'without line breaks': (key) => key.replaceAll('\n', ''),
  'with CRLF': (key) => key.replaceAll('\n', '\r\n'),
  indented: (key) => lines(key, (line) => `    ${line}`),
  quoted: (key) => lines(key, (line) => `> ${line}`),
  numbered: (key) => lines(key, (line, number) => `${String(number).padStart(6)}\t${line}`),
  'of a diff': (key) => lines(key, (line) => `+${line}`),
  commented: (key) => lines(key, (line) => `# ${line}`),
  concatenated: (key) => lines(key, (line) => `"${line}\\n" +`),
  'as a list': (key) => JSON.stringify(key.split('\n')),
  'without its head': (key) => key.split('\n').slice(-6).join('\n'),
  'without its end': (key) => key.split('\n').slice(0, -3).join('\n'),
};

/** Keys in all layouts, of another kind in each round; `line` is one that must not be found. @param {number} round */
export function writtenKeys(round) {
  const kinds = Object.entries(KEYS);
  return Object.entries(LAYOUTS).map(([layout, write], at) => {
    const [kind, make] = kinds[(at + round) % kinds.length] ?? ['', () => ''];
    const key = make();
    const text = write(key);
    const full = key.split('\n').filter((one) => /^[A-Za-z0-9+/]{60,}$/.test(one));
    const line = layout === 'without its head' ? full.at(-1) : full[0];
    return { place: `a private key, ${kind} ${layout}`, text: `It is\n${text}\nas I said.`, line: line ?? '' };
  });
}
