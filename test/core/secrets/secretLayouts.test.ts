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
];

describe('the layouts of secrets', () => {
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
