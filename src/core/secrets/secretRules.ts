import { composePattern } from '../text/pattern';
/** A kind of secret. The secret is the group `secret`, or the whole match. */
export interface SecretRule {
  /** Stable, since programs rely on it. */
  readonly id: string;
  /** The name of the kind, with an article. */
  readonly what: string;
  /** Global. All quantifiers are bounded, so that a search takes linear time. */
  readonly pattern: RegExp;
  /** The prefix of every secret of this kind, which may be shown. */
  readonly shape: string;
  /** The least entropy of a real secret, in bits per character; examples consist of one letter. */
  readonly minEntropy: number;
}

/** A token must not be part of a longer word: base64 contains every short word somewhere. */
const START = '(?<![A-Za-z0-9_+/-])';
const END = '(?![A-Za-z0-9_+/=-])';

interface Shape {
  readonly id: string;
  readonly what: string;
  readonly shape: string;
  /** The pattern after the prefix. */
  readonly rest: string;
  readonly minEntropy?: number;
}

function tokenRule({ id, what, shape, rest, minEntropy = 3 }: Shape): SecretRule {
  return { id, what, shape, minEntropy, pattern: composePattern(`${START}(?<secret>${shape}${rest})${END}`, 'g') };
}

/** More specific shapes come first and take precedence. */
const PROVIDERS: readonly Shape[] = [
  { id: 'anthropic-key', what: 'an Anthropic API key', shape: 'sk-ant-', rest: '[A-Za-z0-9_-]{20,200}' },
  { id: 'openrouter-key', what: 'an OpenRouter API key', shape: 'sk-or-', rest: '[A-Za-z0-9_-]{20,200}' },
  { id: 'langfuse-key', what: 'a Langfuse key', shape: 'sk-lf-', rest: '[0-9a-f-]{36}' },
  {
    id: 'openai-key',
    what: 'an OpenAI API key',
    shape: 'sk-(?:proj|svcacct|admin|None)-',
    rest: '[A-Za-z0-9_-]{20,250}',
  },
  // DeepSeek, Moonshot and others use the same shape.
  { id: 'openai-key', what: "an API key in OpenAI's format", shape: 'sk-', rest: '[A-Za-z0-9]{20,100}' },
  { id: 'cerebras-key', what: 'a Cerebras API key', shape: 'csk-', rest: '[a-z0-9]{32,100}' },
  { id: 'google-key', what: 'a Google API key', shape: 'AIza', rest: '[A-Za-z0-9_-]{35}' },
  { id: 'google-token', what: 'a Google access token', shape: 'ya29\\.', rest: '[A-Za-z0-9_.-]{20,2000}' },
  { id: 'google-secret', what: 'a Google client secret', shape: 'GOCSPX-', rest: '[A-Za-z0-9_-]{24,40}' },
  { id: 'google-refresh-token', what: 'a Google refresh token', shape: '1//0', rest: '[A-Za-z0-9_-]{40,200}' },
  { id: 'aws-key-id', what: 'an AWS access key id', shape: '(?:AKIA|ASIA)', rest: '[A-Z0-9]{16}', minEntropy: 2.5 },
  { id: 'aws-bedrock-key', what: 'an Amazon Bedrock API key', shape: 'ABSK', rest: '[A-Za-z0-9+/]{80,400}={0,2}' },
  { id: 'github-token', what: 'a GitHub token', shape: 'gh[oprsu]_', rest: '[A-Za-z0-9]{36,255}' },
  { id: 'github-token', what: 'a GitHub token', shape: 'github_pat_', rest: '[A-Za-z0-9_]{22,255}' },
  { id: 'gitlab-token', what: 'a GitLab token', shape: 'glpat-', rest: '[A-Za-z0-9_-]{20,60}' },
  { id: 'slack-token', what: 'a Slack token', shape: 'xox[abeoprs]-', rest: '[A-Za-z0-9-]{10,250}', minEntropy: 2.5 },
  { id: 'slack-token', what: 'a Slack token', shape: 'xapp-', rest: '[A-Za-z0-9-]{20,250}' },
  { id: 'groq-key', what: 'a Groq API key', shape: 'gsk_', rest: '[A-Za-z0-9]{40,80}' },
  { id: 'huggingface-token', what: 'a Hugging Face token', shape: 'hf_', rest: '[A-Za-z0-9]{30,60}' },
  { id: 'xai-key', what: 'an xAI API key', shape: 'xai-', rest: '[A-Za-z0-9]{60,120}' },
  { id: 'perplexity-key', what: 'a Perplexity API key', shape: 'pplx-', rest: '[A-Za-z0-9]{40,80}' },
  { id: 'nvidia-key', what: 'an NVIDIA API key', shape: 'nvapi-', rest: '[A-Za-z0-9_-]{40,120}' },
  { id: 'replicate-token', what: 'a Replicate token', shape: 'r8_', rest: '[A-Za-z0-9]{37}' },
  { id: 'tavily-key', what: 'a Tavily API key', shape: 'tvly-', rest: '[A-Za-z0-9-]{20,80}' },
  { id: 'firecrawl-key', what: 'a Firecrawl API key', shape: 'fc-', rest: '[0-9a-f]{32}' },
  { id: 'langsmith-key', what: 'a LangSmith API key', shape: 'lsv2_(?:pt|sk)_', rest: '[0-9a-f]{32}_[0-9a-f]{8,12}' },
  { id: 'elevenlabs-key', what: 'an ElevenLabs API key', shape: 'sk_', rest: '[0-9a-f]{48}' },
  { id: 'stripe-key', what: 'a Stripe key', shape: '[rs]k_live_', rest: '[A-Za-z0-9]{20,250}' },
  { id: 'databricks-token', what: 'a Databricks token', shape: 'dapi', rest: '[0-9a-f]{32}' },
  { id: 'npm-token', what: 'an npm token', shape: 'npm_', rest: '[A-Za-z0-9]{36}' },
  {
    id: 'sendgrid-key',
    what: 'a SendGrid API key',
    shape: 'SG\\.',
    rest: '[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{40,46}',
  },
  {
    id: 'jwt',
    what: 'a JSON web token',
    shape: 'eyJ',
    rest: '[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,2000}',
  },
];

const SLACK_WEBHOOK: SecretRule = {
  id: 'slack-webhook',
  what: 'a Slack webhook',
  shape: 'https://hooks.slack.com/services/',
  pattern: /https:\/\/hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,30})/g,
  minEntropy: 3,
};

/** The line breaks of a key may be real, or `\n` within a string. There must be key data after the header. */
const PRIVATE_KEY: SecretRule = {
  id: 'private-key',
  what: 'a private key',
  shape: '-----BEGIN PRIVATE KEY-----',
  pattern:
    /-----BEGIN (?:[A-Z]{2,10} ){0,3}PRIVATE KEY-----(?:\\{1,4}[nr]|\s){1,20}[A-Za-z0-9+/=]{16}(?:[A-Za-z0-9+/=]|\s|\\{1,4}[nr]){0,8000}/g,
  minEntropy: 3,
};

/** `https://name:password@host`. */
const URL_PASSWORD: SecretRule = {
  id: 'url-password',
  what: 'a password in a URL',
  shape: '',
  pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{1,100}:(?<secret>[^\s/:@"'\\$<{*]{6,100})@[A-Za-z0-9.-]{3,100}/g,
  minEntropy: 2.5,
};

const AUTHORIZATION: readonly SecretRule[] = [
  {
    id: 'bearer-token',
    what: 'a bearer token',
    shape: 'Bearer ',
    // YAML may fold the line between the two.
    pattern:
      /\b[Bb]earer(?:[ \t]{1,3}|\r?\n[ \t]{1,40})(?<secret>[A-Za-z0-9._~+/-]{16,4000}={0,2})(?![A-Za-z0-9_+/=-])/g,
    minEntropy: 3,
  },
  {
    id: 'basic-auth',
    what: 'a user name and password',
    shape: 'Basic ',
    pattern: /[Aa]uthorization\W{1,30}[Bb]asic[ \t]{1,3}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9_+/=-])/g,
    minEntropy: 2.5,
  },
];

/** The rules by shape, the most specific first. `NAMED_SECRET` finds secrets without a shape by their names. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...PROVIDERS.map(tokenRule),
  SLACK_WEBHOOK,
  PRIVATE_KEY,
  URL_PASSWORD,
  ...AUTHORIZATION,
];

/** Names of members, headers and parameters whose values are secrets. */
const NAMES = [
  'authorization',
  'proxy-authorization',
  '(?:x-)?(?:[a-z]{2,20}[-_])?api[-_]?key',
  'x-goog-api-key',
  'ocp-apim-subscription-key',
  '(?:aws[-_]?)?secret[-_]?(?:access[-_]?)?key',
  'aws[-_]?session[-_]?token',
  'x-amz-security-token',
  '(?:client|app|webhook|signing|shared)[-_]?secret',
  'secret',
  '(?:access|refresh|auth|bearer|id|session|api|bot|personal)[-_]?token',
  'x-auth-token',
  'private[-_]?key',
  'passw(?:or)?d',
  'credentials?',
].join('|');

/** A quote, possibly escaped: tapes contain JSON within strings. */
const QUOTE = `(?:\\\\{0,8}["'])?`;
/** Between a name and its value: `: `, `=`, or the next line of a list in YAML or JSON. */
const TO_VALUE = `${QUOTE}\\s{0,4}[:=]\\s{0,40}(?:-\\s{1,4}|\\[\\s{0,60})?${QUOTE}`;
/** Between name and value of a header written as `{name, value}`. */
const PAIR = `${QUOTE}\\s{0,4},?\\s{0,60}${QUOTE}value${QUOTE}\\s{0,4}:\\s{0,40}${QUOTE}`;
const SCHEME = '(?:(?:Bearer|Basic|Token|ApiKey|Key)\\s{1,3})?';
const VALUE = '(?<secret>[A-Za-z0-9+/_.~-]{16,512}={0,2})';

/**
 * A secret without a shape of its own, recognised by the name before it. Only random values count, since tapes are full of
 * words. The alternatives do not overlap, so that the search takes linear time.
 */
export const NAMED_SECRET: SecretRule = {
  id: 'named-secret',
  what: 'a secret, judging by its name and randomness',
  shape: '',
  pattern: composePattern(
    `(?<![A-Za-z0-9])(?<name>${NAMES})(?:${PAIR}|${TO_VALUE})${SCHEME}${VALUE}(?![A-Za-z0-9+/_=-])`,
    'gi',
  ),
  minEntropy: 3.4,
};

/** Ids, versions, and names of models and files, which may follow a name like `token`. */
const NOT_SECRET = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[A-Za-z]+(?:[-_./][A-Za-z]+)*$/,
  /^\d{4}-\d{2}-\d{2}/,
  /^[\d.,+-]+$/,
  /^(?:https?:)?\/\//,
  // PostHog's project keys are public.
  /^phc_/,
];

/** Whether a value after such a name is an id, a date or words. */
export function isOrdinaryValue(value: string): boolean {
  return NOT_SECRET.some((pattern) => pattern.test(value));
}
