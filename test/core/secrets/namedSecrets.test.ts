import assert from 'node:assert/strict';
import { SecretSearch } from '../../../src/core/secrets/secretSearch';
import { randomFrom } from '../tapes/mutations';

const random = randomFrom(43);
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const HEX = '0123456789abcdef';
const chance = (length: number, alphabet = ANY): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
const uuid = (): string =>
  `${chance(8, HEX)}-${chance(4, HEX)}-4${chance(3, HEX)}-a${chance(3, HEX)}-${chance(12, HEX)}`;

const search = new SecretSearch();

const VALUES: Readonly<Record<string, () => string>> = {
  '32 hexadecimal digits': () => chance(32, HEX),
  '40 hexadecimal digits': () => chance(40, HEX),
  '64 hexadecimal digits': () => chance(64, HEX),
  '40 letters and digits': () => chance(40),
  '22 letters and digits': () => chance(22),
  'a UUID': uuid,
};

const NAMES = (
  'token auth_token authToken api_token apiToken session_token sessionToken secret signing_secret webhook_secret ' +
  'client_secret apikey api_key access_key refreshToken bearer x-auth-token private_token pat accessToken ' +
  'device_token csrf_token password passwd otp_secret PRIVATE-TOKEN identitytoken device_code consumer_secret auth_key ' +
  'webhook_key user_token deployToken bot_token recovery_code apitoken auth encryption_key service_role_key'
).split(' ');

/** How a name and its value are written. */
const WRITERS: Readonly<Record<string, (name: string, value: string) => string>> = {
  JSON: (name, value) => JSON.stringify({ id: 7, [name]: value }),
  'JSON in JSON': (name, value) => JSON.stringify({ arguments: JSON.stringify({ id: 7, [name]: value }) }),
  'a form': (name, value) => `a=1&${name}=${value}`,
  'a query': (name, value) => `https://api.example.com/x?${name}=${value}`,
  'a header': (name, value) => `${name}: ${value}\r\n`,
  'headers of YAML': (name, value) => `headers:\n  ${name}:\n  - ${value}\n`,
  YAML: (name, value) => `id: 7\n${name}: ${value}\n`,
  'an element of XML': (name, value) => `<r><id>7</id><${name}>${value}</${name}></r>`,
  'an element with a namespace and attributes': (name, value) => `<w:${name} Type="x#Text">\n  ${value}\n</w:${name}>`,
  'character data of XML': (name, value) => `<${name}><![CDATA[${value}]]></${name}>`,
  'XML in JSON': (name, value) => JSON.stringify({ body: `<r>\n<${name} a="b">${value}</${name}></r>` }),
  'an attribute of XML': (name, value) => `<user id="7" ${name}="${value}"/>`,
  'a key of a configuration': (name, value) => `<add key="${name}" value="${value}" />`,
  'a property list': (name, value) => `<key>${name}</key>\n<string>${value}</string>`,
  'a hidden field': (name, value) => `<form><input type="hidden" name="${name}" value="${value}"></form>`,
  'a field with its value first': (name, value) => `<input value="${value}" type="hidden" name="${name}">`,
  'a field without quotes': (name, value) => `<input name=${name} value=${value}>`,
  'a field in JSON': (name, value) => JSON.stringify(`<input name="${name}" value="${value}">`),
  'a meta element': (name, value) => `<meta name='${name}' content='${value}'>`,
  'JSON in an attribute': (name, value) => `<div data-x="{&quot;id&quot;:7,&quot;${name}&quot;:&quot;${value}&quot;}">`,
  'XML in XML': (name, value) => `<body>&lt;${name}&gt;${value}&lt;/${name}&gt;</body>`,
  'a multipart form': (name, value) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`,
  'an option': (name, value) => `deploy --verbose --${name} ${value} now`,
  'an option with a sign': (name, value) => `deploy --${name}="${value}"`,
  'a list of arguments': (name, value) => JSON.stringify({ args: ['serve', `--${name}`, value, '--quiet'] }),
};

describe('a value after the name of a secret', () => {
  for (const [place, write] of Object.entries(WRITERS))
    it(`is found in ${place}`, () => {
      for (const name of NAMES)
        for (const [kind, value] of Object.entries(VALUES)) {
          const [secret, own] = [value(), name.startsWith('x-') && /element|XML/.test(place) ? name.slice(2) : name];
          const text = write(own, secret);
          assert.equal(search.find(text).length, 1, `${kind}: ${text}`);
          assert.ok(!search.hide(text).includes(secret), text);
        }
    });

  it('is found in markup and options though it is short, if the name is one of passwords', () => {
    for (const text of [
      '<password>Tr0ub4dor&amp;3</password>',
      '<soap:Password>lowercasehorse</soap:Password>',
      '<user name="ada" password="Tr0ub4dor3"/>',
      '<input type="password" value="Tr0ub4dor3">',
      '<string name="db_password">Tr0ub4dor3</string>',
      'mysqldump --user=ada --password=Tr0ub4dor3 shop',
      '["--user", "ada", "--password", "Tr0ub4dor3"]',
    ])
      assert.deepEqual(
        search.find(text).map(({ rule }) => rule),
        ['named-secret'],
        text,
      );
  });

  it('is found where programs have it', () => {
    const value = chance(32);
    const places: readonly (readonly [rule: string, text: string])[] = [
      ['command-password', `curl -s -u ada:${value} https://api.example.com/v1`],
      ['command-password', `curl --user "ada:${value}" https://api.example.com/v1`],
      ['command-password', JSON.stringify({ command: `cd x && curl -u 'ada:${value}' https://api.example.com` })],
      ['command-password', JSON.stringify({ args: ['curl', '-u', `ada:${value}`, 'https://api.example.com'] })],
      ['command-password', `docker login -u ada -p ${value} registry.example.com`],
      ['command-password', `sshpass -p '${value}' ssh ada@host.example`],
      ['command-password', `mysql -h db -u root -p${value} shop`],
      ['netrc-password', `machine api.example.com login ada password ${value}`],
      ['netrc-password', JSON.stringify(`machine api.example.com\n  login ada\n  password ${value}\n`)],
      ['pgpass-password', `db.example.com:5432:shop:ada:${value}`],
      ['pgpass-password', JSON.stringify(`# mine\n*:*:*:ada:${value}\n`)],
      [
        'digest-auth',
        `Authorization: Digest username="ada", realm="x", nonce="y", uri="/", response="${chance(32, HEX)}"`,
      ],
      [
        'named-secret',
        JSON.stringify({ auths: { 'registry.example.com': { auth: Buffer.from(`ada:${value}`).toString('base64') } } }),
      ],
      ['named-secret', `//registry.example.com/:_authToken=${value}`],
      ['named-secret', `//registry.example.com/:_password="${Buffer.from(value).toString('base64')}"`],
      ['url-key', `https://${chance(32, HEX)}@o12345.ingest.us.sentry.io/4507`],
      ['url-key', `git clone https://${value}@git.example.com/ada/shop.git`],
      ['mnemonic', `mnemonic: "${WORDS}"`],
      ['mnemonic', `Your seed phrase is: ${WORDS}. Keep it.`],
      ['mnemonic', JSON.stringify({ recovery_phrase: `${WORDS} ${MORE_WORDS}` })],
    ];
    for (const [rule, text] of places) {
      const found = search.find(text);
      assert.ok(
        found.some((one) => one.rule === rule),
        `${rule}: ${text} ${JSON.stringify(found)}`,
      );
      assert.ok(!search.hide(text).includes(value), text);
    }
  });

  it('is found in code, files and sentences', () => {
    const value = chance(32);
    for (const text of [
      `define('DB_PASSWORD', '${value}');`,
      `'password' => '${value}',`,
      `:api_key => "${value}"`,
      `dataSource.setPassword("${value}");`,
      `os.environ.setdefault("API_KEY", "${value}")`,
      `ENV API_KEY ${value}`,
      `set -x API_KEY ${value}`,
      `npm config set //registry.example.com/:_authToken ${value}`,
      `| api_key | ${value} |`,
      `api_key: \`${value}\``,
      `PGPASSWORD=${value} psql`,
      `ansible_ssh_pass=${value}`,
      `network={ ssid="x" psk="${value}" }`,
      `ALTER USER ada IDENTIFIED BY '${value}';`,
      `CREATE USER ada WITH PASSWORD '${value}';`,
      `The password is ${value}.`,
      `My API key is: ${value}, keep it.`,
      'db.password=Tr0ub4dor&3x',
      "db_password => 'Tr0ub4dor&3x'",
      '[db]\npassword = Tr0ub4dor&3x\n',
    ]) {
      assert.ok(search.find(text).length > 0, text);
      assert.ok(!search.hide(text).includes(value) && !search.hide(text).includes('Tr0ub4'), text);
    }
  });

  it('is found in each private member of a JSON web key', () => {
    const [d, p, k] = [chance(86), chance(86), chance(43)];
    const key = { kty: 'RSA', n: chance(342), e: 'AQAB', d, p, kid: 'agent-1' };
    for (const text of [JSON.stringify(key), JSON.stringify({ keys: JSON.stringify([key]) })]) {
      const hidden = search.hide(text);
      assert.ok(!hidden.includes(d) && !hidden.includes(p) && hidden.includes(key.n), hidden);
    }
    assert.equal(search.find(JSON.stringify({ kty: 'oct', k, alg: 'HS256' })).length, 1);
    assert.deepEqual(search.find(JSON.stringify({ kty: 'RSA', n: chance(342), e: 'AQAB' })), []);
    assert.deepEqual(search.find(JSON.stringify({ q: chance(40), d: chance(40) })), []);
  });
});

/** Of the English list, as a wallet draws them. */
const MORE_WORDS = 'anchor blossom cactus dolphin emerald flavor glimpse hybrid illegal jungle kitten laptop';
const WORDS = 'gravity orbit velvet candle harbor puzzle lemon drastic orphan bright tunnel maple';

describe('a signed URL', () => {
  it('is one secret, whatever signs it', () => {
    const key = `AKIA${chance(16, 'ABCDEFGHIJKLMNOP234567')}`;
    const amazon = `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${key}%2F20260101%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=900&X-Amz-Security-Token=${chance(200)}&X-Amz-SignedHeaders=host&X-Amz-Signature=${chance(64, HEX)}`;
    const urls = [
      `https://shop.s3.amazonaws.com/a.png?${amazon}`,
      `https://shop.s3.amazonaws.com/a.png?AWSAccessKeyId=${key}&Signature=${chance(27)}%3D&Expires=1767225600`,
      `https://storage.googleapis.com/shop/a.png?X-Goog-Credential=${chance(30)}&X-Goog-Signature=${chance(256, HEX)}`,
      `https://shop.blob.core.windows.net/c/a.png?sv=2022-11-02&sr=b&sig=${chance(43)}%3D&se=2026`,
    ];
    for (const url of urls)
      for (const text of [url, `"${url}"`, `${url} and more`, JSON.stringify({ content: `See ${url}` })])
        assert.equal(search.find(text).length, 1, text);
    assert.equal(search.find(urls.join(' ')).length, urls.length);
  });
});
