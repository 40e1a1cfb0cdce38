/** What the name of a member, header, parameter or variable says about its value. */
export type NameKind =
  /** Every value is a secret. */
  | 'secret'
  /** A random value is a secret. */
  | 'likely';

/** Not `signature`, which reasoning has, nor `key` alone. */
const SECRET_NAME =
  /^(?:.*_)?(?:[a-z]{0,12}passwords?|passwd|passphrase|pass_phrase|api_?keys?|api_secret|client_secret|access_token|refresh_token|auth_token|session_token|private_token|private_key|pre_?shared_key|secret_?key(?:_base)?|secret_access_key|account_?key|shared_access_?key|subscription_key|connection_?string)$|^(?:secret|(?:proxy_)?authorization|(?:set_)?cookies?)$/;
const LIKELY_NAME =
  /^(?:.*_)?(?:secrets?|bearer|auth|access_?key|session_key|(?:signing|encryption|decryption|master|root|admin|auth|app|application|license|webhook|deploy|hmac|shared|storage|server|client|consumer|integration|service|service_role|anon|write|ingest|functions?|host)_key|credentials?|pass|pwd|psk|pat|sas|jwt|(?:device|authorization|recovery|backup)_?code)$/;
/** Any token; a random value of one is a secret. */
const TOKEN = /^(?:.*_)?(?:(?:id|api|auth|access|refresh|session|identity|registry|bearer|csrf|xsrf)?token)$/;
/** Tokens that give no access: they count pages, name requests and states, or are words of a model. */
const OPEN_TOKEN =
  /(?:^|_)(?:page|paging|pagination|next|prev|previous|cursor|continuation|continue|sync|delta|skip|resume|checkpoint|change|etag|version|snapshot|consistency|concurrency|read|request|idempotency|progress|cancel|cancellation|task|turn|event|stream|search|scroll|sort|start|end|client|lock|fencing|position|placement|trace|correlation|tracking|visitor|content|chunk|eos|bos|pad|unk|sep|cls|mask|stop|special|image|audio|video|first|last|new|prompt|completion|input|output|max|min|total)_?token$/;

/** The last words of such names, in lower case: what a search begins with. */
export const NAME_ENDS: readonly string[] = [
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'pass_phrase',
  'pass-phrase',
  'key',
  'keys',
  'key_base',
  'secret',
  'secrets',
  'token',
  'bearer',
  'auth',
  'authorization',
  'cookie',
  'cookies',
  'connectionstring',
  'connection_string',
  'connection-string',
  'credential',
  'credentials',
  'pwd',
  'pass',
  'psk',
  'pat',
  'sas',
  'jwt',
  ...['device', 'authorization', 'recovery', 'backup'].flatMap((kind) =>
    ['_', '-', ''].map((by) => `${kind}${by}code`),
  ),
];

const known = new Map<string, NameKind | undefined>();
const MOST_KNOWN = 2000;

/** Judges a name in any style: `apiKey`, `api-key`, `X-API-KEY`, `OPENAI_API_KEY_2`. */
export function nameKind(name: string): NameKind | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size >= MOST_KNOWN) known.clear();
  const kind = judgeName(snakeCase(name));
  known.set(name, kind);
  return kind;
}

function judgeName(name: string): NameKind | undefined {
  // Negotiated for one connection (RFC 8839).
  if (name === 'ice_pwd') return undefined;
  if (SECRET_NAME.test(name)) return 'secret';
  return LIKELY_NAME.test(name) || (TOKEN.test(name) && !OPEN_TOKEN.test(name)) ? 'likely' : undefined;
}

/** A name in lower case with underscores, without a number at its end. */
export function snakeCase(name: string): string {
  return name
    .slice(-80)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/_?\d{1,3}$/, '');
}

/** Parameters of URLs whose values are secrets, whatever they are. */
const SECRET_PARAMETER =
  /^(?:key|auth|token|sig|signature|hmac|x_(?:amz|goog)_(?:signature|credential|security_token)|awsaccess_?key_?id|password|pwd|secret|jwt|assertion|client_assertion|code_verifier|id_token|hapikey|sas)$/;
/** Parameters of URLs whose random values are secrets. */
const LIKELY_PARAMETER =
  /^(?:code|session|session_?id|sid|ticket|nonce_token|state_token|user_?key|access|credential)$/;

export function parameterKind(name: string): NameKind | undefined {
  const snake = snakeCase(name);
  if (SECRET_PARAMETER.test(snake) || SECRET_NAME.test(snake)) return 'secret';
  return LIKELY_PARAMETER.test(snake) || nameKind(name) !== undefined ? 'likely' : undefined;
}
