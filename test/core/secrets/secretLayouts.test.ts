import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { randomFrom } from '../tapes/mutations';

const random = randomFrom(31);
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const chance = (length: number): string =>
  `${Array.from({ length: length - 2 }, () => ANY.charAt(Math.floor(random() * ANY.length))).join('')}7Q`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const KEY_ID = `AKIA${'B2C4D6E3F5G7H2J4'}`;

/** How programs lay out what an agent reads, by the secret in it. */
const LAYOUTS: Readonly<Record<string, readonly [secret: string, text: (secret: string) => string]>> = {
  'a dump of PHP': [chance(40), (secret) => `Array\n(\n    [api_key] => ${secret}\n)`],
  'a serialised array of PHP': [chance(40), (secret) => `a:1:{s:7:"api_key";s:40:"${secret}";}`],
  'a table of Lua': [chance(40), (secret) => `{ ["api_key"] = "${secret}" }`],
  'an option of Rust': [chance(40), (secret) => `Config { api_key: Some("${secret}"), port: 80 }`],
  'headers in bytes of Python': [chance(40), (secret) => `[(b'accept', b'*/*'), (b'x-api-key', b'${secret}')]`],
  'a folded block of YAML': [chance(40), (secret) => `api_key: >-\n  ${secret}\n`],
  'a literal block of YAML': [chance(40), (secret) => `api_key: |\n  ${secret}\n`],
  'a table in a document': [chance(40), (secret) => `| API key | ${secret} |`],
  'a secret of Kubernetes': [
    base64(chance(24)),
    (secret) => `apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  value: ${secret}\n`,
  ],
  'a secret of Kubernetes in JSON': [
    base64(chance(24)),
    (secret) => JSON.stringify({ kind: 'Secret', data: { value: secret }, type: 'Opaque' }),
  ],
  'a default of Terraform': [chance(24), (secret) => `variable "db_password" {\n  default = "${secret}"\n}`],
  'a state of Terraform': [
    chance(24),
    (secret) =>
      JSON.stringify({ type: 'random_password', instances: [{ attributes: { length: 24, result: secret } }] }),
  ],
  'two halves in a line': [chance(40), (secret) => `${KEY_ID} ${secret}`],
  'two halves in a table': [chance(40), (secret) => `Access key ID,Secret access key\n${KEY_ID},${secret}\n`],
  'a file of cookies': [chance(40), (secret) => `.example.com\tTRUE\t/\tTRUE\t1790000000\tsessionid\t${secret}\n`],
  'a cookie of LinkedIn': [chance(150), (secret) => `cookie: li_at=${secret}; lang=en`],
  'a header of Azure Functions': [chance(54), (secret) => `x-functions-key: ${secret}==`],
  'a link that resets a password': [chance(40), (secret) => `https://shop.example.com/reset-password/${secret}`],
  'a link that lets in': [chance(40), (secret) => `<a href="https://shop.example.com/magic/${secret}">Sign in</a>`],
  'a mask of a workflow': [chance(20), (secret) => `echo "::add-mask::${secret}"`],
  'a command of Redis': [chance(20), (secret) => `redis-cli -h cache -a ${secret} ping`],
  'a command of SQL Server': [`${chance(12)}!a1`, (secret) => `sqlcmd -S db -U sa -P '${secret}' -Q "select 1"`],
  'a command of LDAP': [chance(14), (secret) => `ldapsearch -D cn=admin -w ${secret} -b dc=example`],
  'a command of HTTPie': [chance(40), (secret) => `http -A bearer -a ${secret} GET example.com`],
  'options of a mount': [chance(12), (secret) => `//srv/share /mnt cifs username=ada,password=${secret},uid=1000`],
  'a key that a shell continues': [chance(20), (secret) => `K="sk-proj-${chance(20)}\\\n${secret}"`],
  'a key of two strings': [chance(20), (secret) => `const key = "sk-proj-${chance(20)}" + "${secret}";`],
  'the second line of a script with curl': [chance(16), (secret) => `cd shop\ncurl --user ada:${secret} example.com`],
  'the second line of a script with sshpass': [chance(16), (secret) => `cd shop\nsshpass -p '${secret}' ssh ada@db`],
  'the second line of a script with MySQL': [chance(16), (secret) => `cd shop\nmysql -u root -p${secret} shop`],
  'a .netrc after something else': [
    chance(14),
    (secret) => `cat .netrc\nmachine example.com login ada password ${secret}\n`,
  ],
  'a field of a multipart form': [
    chance(32),
    (secret) => `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
  ],
  'a password in braces of ODBC': [chance(16), (secret) => `Driver={ODBC};Uid=ada;Pwd={${secret}};`],
  'a base of secrets of Rails': [chance(64), (secret) => `config.secret_key_base = '${secret}'`],
  'a shared key of WireGuard': [base64(chance(32)), (secret) => `PresharedKey = ${secret}`],
  'a member of two words': [chance(32), (secret) => JSON.stringify({ 'Client Secret': secret })],
  'an output of Terraform': [
    chance(20),
    (secret) => JSON.stringify({ db_password: { sensitive: true, type: 'string', value: secret } }),
  ],
  'a key with a space without width': [chance(20), (secret) => `sk-proj-${chance(20)}\u200b${secret}`],
};

/** What has the layout, but no secret. */
const INNOCENT: readonly string[] = [
  'Array\n(\n    [api_key] => string\n)',
  'struct Config { api_key: Some("the name of a key") }',
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: database-credentials\n  namespace: production\ntype: Opaque\n',
  'variable "db_password" {\n  description = "The password of the database"\n  sensitive = true\n}',
  '| API key | Where it is made |',
  'connect(host=host,password=get_password_of_user,port=5432)',
  'https://shop.example.com/reset-password/confirmation-of-your-address',
  'https://github.com/ada/shop/invitations/accept-this-invitation-now',
  '.example.com\tTRUE\t/\tTRUE\t1790000000\ttheme\tdark-with-large-letters\n',
  'const key = "sk-proj-" + "name of the project";',
  'redis-cli -h cache -a "$REDIS_PASSWORD" ping',
  'http -A bearer -a $TOKEN GET example.com',
  '.sk-fading-circle-before-animation-v2 { color: red }',
  'app-2026-11-30-release-candidate',
  'price of $5$ or $6$ each, as told on page 7',
  `tokens [${Array.from({ length: 80 }, (_, at) => 40 + (at % 60)).join(', ')}]`,
  '00000000: 4865 6c6c 6f20 776f 726c 642c 2061 7320  Hello world, as \n00000010: 7765 2073 6179                           we say',
  '{"password": {"type": "string", "value": "", "title": "Your password"}}',
  'say "the key": and nothing else',
];

/** A text as a program dumps its bytes. */
const DUMPS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  xxd: (bytes) => dumpOf(bytes, 8, ': ', (line) => inWords(line).join(' ').padEnd(41) + shown(line)),
  'hexdump -C': (bytes) =>
    dumpOf(bytes, 8, '  ', (line) => `${Array.from(line, hex).join(' ').padEnd(50)}|${shown(line)}|`),
  hexdump: (bytes) => dumpOf(bytes, 7, ' ', (line) => `${inWords(line.swap16()).join(' ')} `),
  'an array in C': (bytes) => `{ ${Array.from(bytes, (byte) => `0x${hex(byte)}`).join(', ')} }`,
  'a buffer of Node': (bytes) => JSON.stringify(bytes),
};

function dumpOf(bytes: Buffer, digits: number, between: string, write: (line: Buffer) => string): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) => {
    const offset = (at * 16).toString(16).padStart(digits, '0');
    return offset + between + write(Buffer.from(bytes.subarray(at * 16, at * 16 + 16)));
  });
  return lines.join('\n');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function inWords(line: Buffer): string[] {
  return line.toString('hex').match(/.{1,4}/g) ?? [];
}

function shown(line: Buffer): string {
  return line.toString('latin1').replaceAll('\n', '.');
}

describe('the layouts of secrets', () => {
  for (const [program, dump] of Object.entries(DUMPS))
    it(`include the bytes of a file as ${program} prints them`, () => {
      const file = Buffer.from(`NAME=shop\nOPENAI_API_KEY=sk-proj-${chance(40)}\nMODE=production\n`);
      for (const whole of [dump(file), JSON.stringify({ content: dump(file) })]) {
        const hidden = createRedactor().text(whole);
        assert.notEqual(hidden, whole);
        assert.ok(!hidden.includes(dump(file).slice(200, 240)), hidden);
        assert.equal(createRedactor().text(hidden), hidden);
      }
    });

  for (const [layout, [secret, text]] of Object.entries(LAYOUTS))
    it(`include ${layout}, also as a result in JSON`, () => {
      for (const whole of [text(secret), JSON.stringify({ content: text(secret) })]) {
        const hidden = createRedactor().text(whole);
        assert.ok(!hidden.includes(secret.slice(-8)), hidden);
        assert.equal(createRedactor().text(hidden), hidden);
      }
    });

  for (const text of INNOCENT)
    it(`leave ${JSON.stringify(text)} as it is`, () => assert.equal(createRedactor().text(text), text));
});
