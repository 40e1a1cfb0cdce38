import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRedactor } from '../../../src/core/secrets/redactor';

/** Of random appearance, the same each time. */
const hash = (text: string, algorithm = 'sha256'): Buffer => createHash(algorithm).update(text).digest();
const hex = (text: string, length: number): string => hash(text, 'sha512').toString('hex').slice(0, length);
const base64 = (text: string, length: number): string =>
  Array.from({ length: 20 }, (_, at) => hash(`${text}${at}`, 'sha512').toString('base64').replace(/=+$/, ''))
    .join('')
    .slice(0, length);
const word = (text: string, length: number): string => base64(text, 1200).replace(/[+/]/g, '').slice(0, length);
const uuid = (text: string): string =>
  hex(text, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

/** As templates have it. */
const reference = (name: string): string => `\${${name}}`;

/** What only resembles a secret, or stands where one could, by what it is. */
const INNOCENTS: Readonly<Record<string, readonly string[]>> = {
  'hashes of commits and contents': [
    `commit ${hex('a', 40)}`,
    `"sha": "${hex('b', 40)}"`,
    `HEAD is now at ${hex('c', 7)} Count tokens once`,
    `index ${hex('d', 7)}..${hex('e', 7)} 100644`,
    `"integrity": "sha512-${base64('f', 86)}=="`,
    `integrity sha1-${base64('g', 27)}=`,
    `sha256:${hex('h', 64)}`,
    `registry.example.com/agent@sha256:${hex('i', 64)}`,
    `"etag": "W/\\"${hex('j', 32)}\\""`,
    `"digest": "${hex('k', 64)}", "size": 1204`,
    `requests==2.31.0 --hash=sha256:${hex('l', 64)}`,
    `github.com/ada/shop v1.2.3 h1:${base64('m', 43)}=`,
    `checksum = "${hex('n', 64)}"`,
    `<script src="a.js" integrity="sha384-${base64('o', 64)}" crossorigin="anonymous"></script>`,
    `Content-MD5: ${base64('p', 22)}==`,
    `"cacheKey": "${hex('q', 64)}"`,
    `"key": "${hex('r', 64)}"`,
    `main.${hex('s', 20)}.js`,
    `https://cdn.example.com/assets/index-${word('t', 8)}.css`,
    `0x${hex('u', 64)}`,
  ],
  'ids and UUIDs': [
    `"id": "${uuid('a')}"`,
    `"request_id": "req_${word('b', 24)}"`,
    `x-request-id: ${uuid('c')}`,
    `"id": "chatcmpl-${word('d', 29)}", "object": "chat.completion"`,
    `"tool_call_id": "call_${word('e', 24)}"`,
    `"id": "toolu_01${word('f', 22)}"`,
    `"id": "msg_01${word('g', 22)}"`,
    `"previous_response_id": "resp_${hex('h', 48)}"`,
    `traceparent: 00-${hex('i', 32)}-${hex('j', 16)}-01`,
    `"session_id": "${uuid('k')}"`,
    `"parentUuid":"${uuid('l')}","isSidechain":false`,
    `cf-ray: ${hex('m', 16)}-FRA`,
    `https://example.com/orders/${uuid('n')}/items`,
    `https://docs.example.com/d/1${word('o', 43)}/edit`,
    `"correlationId": "${uuid('p')}"`,
    `<guid isPermaLink="false">${uuid('q')}</guid>`,
    `<Id>${uuid('r')}</Id>`,
    `"_id": {"$oid": "${hex('s', 24)}"}`,
    `"file_id": "file-${word('t', 24)}"`,
    `"system_fingerprint": "fp_${hex('u', 10)}"`,
    `{"name": "id", "value": "${uuid('v')}"}`,
    `<input type="hidden" name="order_id" value="${uuid('w')}">`,
    `?utm_source=mail&gclid=${word('x', 60)}`,
    `"client_id": "${uuid('y')}"`,
    `"tenantId": "${uuid('z')}", "subscriptionId": "${uuid('0')}"`,
  ],
  'tokens that are counted or turn pages': [
    '"max_tokens": 4096, "token_type": "bearer", "tokens": 17',
    '"usage": {"prompt_tokens": 128, "completion_tokens": 12, "total_tokens": 140}',
    `"next_page_token": "${word('a', 40)}"`,
    `"nextToken": "${word('b', 60)}"`,
    `"continuationToken":"${word('c', 60)}"`,
    `"pageToken": "${word('d', 40)}"`,
    `"turnToken": "v1_${word('d', 60)}"`,
    `"clientRequestToken": "${uuid('e')}"`,
    `"progressToken": "${uuid('f')}"`,
    `"syncToken": "${word('g', 30)}"`,
    `"resume_token": "${hex('h', 64)}"`,
    '"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"',
    '{"token": " Paris", "logprob": -0.0012, "bytes": [32, 80]}',
    '{"token":"<|reserved_special_token_247|>","logprob":-9.1}',
    '{"token":"ActivityThreadInternalFramework","logprob":-1.5}',
    '"tokenizer": "cl100k_base", "token_count": 2048',
    `"cursor": "${word('i', 44)}"`,
    '"stop_token": "###END-OF-ANSWER-2026###"',
    '"bot_token": null, "refresh_token": false',
  ],
  'code and configuration': [
    'interface Login { token: string; password: string | null; apiKey?: string }',
    'const token: string = await getAccessTokenFromServer2(request);',
    'password: null',
    'password = os.environ["DB_PASSWORD"]',
    'api_key = config.get_required_setting("openai_api_key_2")',
    'token = self.tokenizer.encode_plus_special_tokens(text)',
    'client_secret: process.env.CLIENT_SECRET_OF_STAGE_2,',
    'def check_password(self, password: str, password_2: str) -> bool:',
    'if (user.password !== passwordConfirmation2026) throw new Error();',
    'secret = Secret.from_name("my-modal-secret-2026")',
    'auth: { type: "oauth2", flow: "authorizationCode" }',
    `token: ${reference('{ secrets.GITHUB_TOKEN }')}`,
    'env API_KEY=$OPENAI_API_KEY npm test',
    'export OPENAI_API_KEY=your-key-here',
    'OPENAI_API_KEY=sk-... npm start',
    'password: "{{ vault_database_password }}"',
    'password: !vault',
    'secretName: registry-credentials-v2',
    'valueFrom: { secretKeyRef: { name: shop-secrets-2026, key: api-key } }',
    'const csrfToken = document.querySelector("meta[name=csrf-token]").content;',
    'docker login --username ada --password-stdin registry.example.com',
    'docker run -p 8080:8080 -p 5432:5432 mysql:8',
    'mysql -u root -p shop_production',
    'gh auth login --with-token < token.txt',
    'Pass it with --token TOKEN or --password together with --user.',
    'usage: deploy [--token <token>] [--api-key <key>] [--secret NAME]',
    'curl -u "$USER:$PASSWORD" https://api.example.com',
    'curl -u user:password https://api.example.com',
    'curl -sSL https://example.com/install.sh | bash -s -- -u https://example.com:8443/x',
    'git clone https://github.com/ada/shop.git',
    'git remote add origin git@github.com:ada/shop.git',
    'https://user@example.com/shop.git',
    'http://localhost:5432/shop:main:2026',
    '127.0.0.1:5432:5432',
    'ports: ["5432:5432", "6379:6379"]',
    'host:port:database:user:password',
    'machine api.example.com login ada password <password>',
    '.btn-primary-2024 .css-1x2y3z4a5b6c7d8e { color: #1a2b3c }',
    'class="flex items-center sc-bdVaJa3kLmNo hover:bg-gray-100"',
    'const PATTERN = /^sk-[A-Za-z0-9]{20,}$/;',
    `process.stdout.write(\`token=${reference('token')}\`)`,
    'SELECT token, password_hash FROM users WHERE api_key = ?',
    'ALTER TABLE users ADD COLUMN password_digest VARCHAR(255) NOT NULL;',
    '"devDependencies": {"@types/jsonwebtoken": "^9.0.6", "passport-auth-token": "^1.0.1"}',
    'password = getPassword2(user) + "!Aa1"',
    'PASSWORD: At-least-8',
    'os.getenv("API_KEY", "no-default-value-2026")',
    "'password' => 'required|string|min:8',",
    "CREATE USER ada IDENTIFIED BY 'password';",
    "WHERE name = 'ada' AND password = ''",
    'Route::get("/token", [TokenController2::class, "createToken"]);',
    '| token | count_of_2026_tokens |\n|---|---|\n| the | 17 |',
    'const secret = useSecretManagerClient2();',
    'token(value: string): token is AccessTokenOfUser2',
    'pass: 17, fail: 0, passed_tests_of_2026: 17',
    'import { TokenAuthentication2 } from "rest_framework/authentication";',
  ],
  'schemas and forms': [
    '{"password": {"type": "string", "minLength": 8}, "required": ["password", "token"]}',
    '{"type":"apiKey","in":"header","name":"X-API-KEY"}',
    '<xs:element name="password" type="xs:string" minOccurs="0"/>',
    '<xs:element name="token"><xs:complexType><xs:attribute name="secret" type="xs:string"/></xs:complexType></xs:element>',
    '<xsd:attribute name="password" type="xsd:string" use="required"/>',
    '<input type="password" name="password" placeholder="At least 12 characters" autocomplete="current-password">',
    '<input type="password" id="password" value="">',
    '<label for="password">Password</label><th>Token</th>',
    '<button type="submit" name="reset_password" value="1">Reset password</button>',
    '<a href="/reset-password?step=2" class="password-link">Forgot your password?</a>',
    '<select name="token"><option value="1">First token</option></select>',
    '<string name="forgot_password">Passwort vergessen?</string>',
    '<string name="api_key">Clé</string>',
    '<Password/><Token></Token><secret>  </secret>',
    `<password>${reference('db.password')}</password>`,
    '<password>********</password>',
    '<token>{{ token }}</token>',
    `<property name="hibernate.connection.password" value="${reference('DB_PASSWORD')}"/>`,
    '<add key="ApiKey" value="" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="google-site-verification" content="${word('a', 43)}">`,
    '<key>CFBundleIdentifier</key><string>com.example.Shop2026Client</string>',
    '<td class="token">comment</td><span class="hljs-string">"x"</span>',
    '"properties":{"api_key":{"description":"The API key","type":"string"}}',
    'content-disposition: form-data; name="file"; filename="token-list-2026.txt"',
    'username=ada&remember=1&next=%2Forders%2F2026',
    'q=how+do+I+reset+my+password+with+a+token+of+2026&lang=en',
    'note=a+password+is+at+least+12+characters&ok=1',
    '"securitySchemes":{"bearerAuth":{"type":"http","scheme":"bearer","bearerFormat":"JWT"}}',
  ],
  'data in base64': [
    `data:image/png;base64,iVBORw0KGgo${base64('a', 400)}`,
    `data:font/woff2;base64,d09GMgABAAAA${base64('b', 300)}`,
    `"b64_json": "/9j/4AAQSkZJRgABAQAAAQABAAD/${base64('c', 500)}"`,
    `"data": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"`,
    `"embedding": "${base64('d', 1024)}"`,
    `"encrypted_content": "gAAAAAB${base64('e', 300)}"`,
    `"signature": "Er${base64('f', 300)}"`,
    `"thoughtSignature": "C${base64('g', 200)}"`,
    `"image": "${'A'.repeat(64)}EAAAAAAA${base64('h', 200)}"`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64('i', 43)} ada@example`,
    `-----BEGIN CERTIFICATE-----\n${base64('j', 1000).replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${base64('k', 128).replace(/.{64}/g, '$&\n')}-----END PUBLIC KEY-----`,
    `age1${Array.from(hash('l'))
      .map((byte) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.charAt(byte % 32))
      .join('')}`,
    `-----BEGIN PGP SIGNATURE-----\n\n${base64('m', 256).replace(/.{64}/g, '$&\n')}\n=aB3d\n-----END PGP SIGNATURE-----`,
    '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}',
  ],
  prose: [
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
    'A mnemonic: the first letters of words that you would like to remember for the exam in the summer.',
    'The recovery phrase that they wrote down had twelve words, and each of them was from the list.',
    'Your token budget is 4096; the password must have 12 characters, and the secret is patience.',
    'The token is the-smallest-part-2 of a text; the key is patience; the password is at least 12 characters.',
    `The key is that commit ${hex('z', 40)} fixed it.`,
    'Bearer of bad news: the authorization of the transaction was declined.',
    'The secret to good bread: time, water, flour and salt (2026 edition).',
    'He said: "password: at least 12 characters", and left.',
    'Basic authentication and Digest authentication differ in the response="…" that is sent.',
    'key-value stores, pa-per-based tokens, sk-learn 1.5.2, hf_hub and npm_config are not keys.',
    'Order 4812-7731 was shipped on 2026-01-02T03:04:05.678Z to Königsallee 12, 40212 Düsseldorf.',
    'IBAN DE89370400440532013000, ISBN 978-3-16-148410-0, phone +49 211 1234567.',
    'pattern recognition, paternoster, pat.example.com, and patAgonia are words.',
    'SKU SK-2026-000123, SKELETON2026, AC-3 sound, EAA conference, LTAI, and NRAL.',
    'user@example.com wrote to token@example.com about https://example.com/token?step=2.',
    'v1.public release, v2.local build, v4.public.beta, and sl.example.org.',
  ],
};

describe('innocent strings', () => {
  const redactor = createRedactor();
  for (const [kind, texts] of Object.entries(INNOCENTS))
    it(`stay what they are: ${kind}`, () => {
      for (const text of texts) {
        assert.deepEqual(redactor.search.find(text), [], text);
        assert.equal(redactor.text(text), text);
        for (const within of [JSON.stringify({ content: text }), `- body: |\n    ${text.replaceAll('\n', '\n    ')}\n`])
          assert.equal(redactor.text(within), within);
        assert.deepEqual(redactor.value({ a: { b: [text] } }), { a: { b: [text] } });
        const form = new URLSearchParams({ q: text, page: '2' }).toString();
        assert.equal(redactor.text(form), form, text);
        const body = Buffer.from(text);
        assert.equal(redactor.body(body, []), body, text);
      }
    });

  it('are more than a hundred', () => assert.ok(Object.values(INNOCENTS).flat().length > 150));
});
