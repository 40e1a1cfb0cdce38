import { message } from '../text/l10n';
import { composePattern } from '../text/pattern';

/** A kind of secret that is recognised by its beginning. */
export interface SecretShape {
  /** Stable, since programs rely on it. */
  readonly id: string;
  /** The name of the kind, with an article. */
  readonly what: string;
  /** How secrets of this kind begin, which may be shown. */
  readonly starts: readonly string[];
  /** Matches a secret at its start, as the group `secret` or as a whole. All quantifiers are bounded. */
  readonly pattern: RegExp;
  /** The least entropy of a real secret, in bits per character; examples consist of one letter. */
  readonly minEntropy: number;
  /** Whether a secret may also stand in base64 by chance, which has no `-`, `_`, `.` and `:` beside `/` and `+`. */
  readonly isInBase64: boolean;
  /** Whether the start is too long to stand in a word or in base64 by chance. */
  readonly isDistinct: boolean;
}

interface Shape {
  readonly id: string;
  readonly what: string;
  readonly starts: readonly string[];
  /** The pattern after the start. */
  readonly rest: string;
  readonly minEntropy?: number;
}

/** Of the start of a secret that may stand anywhere. */
const SHORTEST_DISTINCT = 6;

function shape({ id, what, starts, rest, minEntropy = 3 }: Shape): SecretShape {
  const isInBase64 = starts.every((start) => /^[A-Za-z0-9+/]+$/.test(start)) && !rest.includes('\\.');
  const isDistinct = starts.every(
    (start) => start.length >= SHORTEST_DISTINCT && /[-_]/.test(start) && start !== 'secret_',
  );
  const end = isDistinct ? '' : isInBase64 ? '(?![A-Za-z0-9_+=-])' : '(?![A-Za-z0-9_-])';
  const start = starts.map((one) => one.replaceAll('.', '\\.')).join('|');
  return {
    id,
    what,
    starts,
    minEntropy,
    isInBase64,
    isDistinct,
    pattern: composePattern(`(?:${start})${rest}${end}`, 'y'),
  };
}

const OPENAI = "an API key in OpenAI's format";
const GITHUB = 'a GitHub token';
const SLACK = 'a Slack token';

/** More specific shapes come first and take precedence. */
const TOKENS: readonly Shape[] = [
  { id: 'anthropic-key', what: message('an Anthropic API key'), starts: ['sk-ant-'], rest: '[A-Za-z0-9_-]{20,200}' },
  { id: 'openrouter-key', what: message('an OpenRouter API key'), starts: ['sk-or-'], rest: '[A-Za-z0-9_-]{20,200}' },
  { id: 'langfuse-key', what: message('a Langfuse key'), starts: ['sk-lf-'], rest: '[0-9a-f-]{36}' },
  {
    id: 'openai-key',
    what: message('an OpenAI API key'),
    starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    rest: '[A-Za-z0-9_-]{20,250}',
  },
  {
    id: 'openai-key',
    what: OPENAI,
    starts: ['sk-test-', 'sk-live-', 'sk-dev-', 'sk-local-'],
    rest: '[A-Za-z0-9]{20,100}',
  },
  // DeepSeek, Moonshot and others use the same shape.
  { id: 'openai-key', what: OPENAI, starts: ['sk-'], rest: '[A-Za-z0-9]{20,100}' },
  { id: 'openai-session', what: message('an OpenAI session key'), starts: ['sess-'], rest: '[A-Za-z0-9]{32,64}' },
  { id: 'cerebras-key', what: message('a Cerebras API key'), starts: ['csk-'], rest: '[a-z0-9]{32,100}' },
  { id: 'google-key', what: message('a Google API key'), starts: ['AIza'], rest: '[A-Za-z0-9_-]{35}' },
  { id: 'google-token', what: message('a Google access token'), starts: ['ya29.'], rest: '[A-Za-z0-9_.-]{20,2000}' },
  { id: 'google-secret', what: message('a Google client secret'), starts: ['GOCSPX-'], rest: '[A-Za-z0-9_-]{24,40}' },
  {
    id: 'google-refresh-token',
    what: message('a Google refresh token'),
    starts: ['1//0'],
    rest: '[A-Za-z0-9_-]{40,200}',
  },
  {
    id: 'aws-key-id',
    what: message('an AWS access key id'),
    starts: ['AKIA', 'ASIA'],
    rest: '[A-Z0-9]{16}',
    minEntropy: 2.5,
  },
  {
    id: 'aws-bedrock-key',
    what: message('an Amazon Bedrock API key'),
    starts: ['ABSK'],
    rest: '[A-Za-z0-9+/]{80,400}={0,2}',
  },
  { id: 'github-token', what: GITHUB, starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], rest: '[A-Za-z0-9]{36,255}' },
  { id: 'github-token', what: GITHUB, starts: ['github_pat_'], rest: '[A-Za-z0-9_]{22,255}' },
  { id: 'gitlab-token', what: message('a GitLab token'), starts: ['glpat-'], rest: '[A-Za-z0-9_-]{20,60}' },
  {
    id: 'slack-token',
    what: SLACK,
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    rest: '[A-Za-z0-9-]{10,250}',
    minEntropy: 2.5,
  },
  { id: 'slack-token', what: SLACK, starts: ['xapp-'], rest: '[A-Za-z0-9-]{20,250}' },
  { id: 'groq-key', what: message('a Groq API key'), starts: ['gsk_'], rest: '[A-Za-z0-9]{40,80}' },
  { id: 'huggingface-token', what: message('a Hugging Face token'), starts: ['hf_'], rest: '[A-Za-z0-9]{30,60}' },
  { id: 'xai-key', what: message('an xAI API key'), starts: ['xai-'], rest: '[A-Za-z0-9]{60,120}' },
  { id: 'perplexity-key', what: message('a Perplexity API key'), starts: ['pplx-'], rest: '[A-Za-z0-9]{40,80}' },
  { id: 'nvidia-key', what: message('an NVIDIA API key'), starts: ['nvapi-'], rest: '[A-Za-z0-9_-]{40,120}' },
  { id: 'replicate-token', what: message('a Replicate token'), starts: ['r8_'], rest: '[A-Za-z0-9]{37}' },
  { id: 'tavily-key', what: message('a Tavily API key'), starts: ['tvly-'], rest: '[A-Za-z0-9-]{20,80}' },
  { id: 'firecrawl-key', what: message('a Firecrawl API key'), starts: ['fc-'], rest: '[0-9a-f]{32}' },
  { id: 'pinecone-key', what: message('a Pinecone API key'), starts: ['pcsk_'], rest: '[A-Za-z0-9_]{40,100}' },
  {
    id: 'digitalocean-token',
    what: message('a DigitalOcean token'),
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    rest: '[0-9a-f]{64}',
  },
  {
    id: 'linear-key',
    what: message('a Linear API key'),
    starts: ['lin_api_', 'lin_oauth_'],
    rest: '[A-Za-z0-9]{32,80}',
  },
  { id: 'notion-token', what: message('a Notion token'), starts: ['ntn_'], rest: '[A-Za-z0-9]{40,60}' },
  { id: 'notion-token', what: message('a Notion token'), starts: ['secret_'], rest: '[A-Za-z0-9]{43}' },
  { id: 'supabase-token', what: message('a Supabase token'), starts: ['sbp_'], rest: '[0-9a-f]{40}' },
  { id: 'supabase-token', what: message('a Supabase key'), starts: ['sb_secret_'], rest: '[A-Za-z0-9_-]{20,60}' },
  { id: 'fireworks-key', what: message('a Fireworks API key'), starts: ['fw_'], rest: '[A-Za-z0-9]{20,64}' },
  { id: 'jina-key', what: message('a Jina API key'), starts: ['jina_'], rest: '[A-Za-z0-9_-]{40,80}' },
  { id: 'voyage-key', what: message('a Voyage API key'), starts: ['pa-', 'al-'], rest: '[A-Za-z0-9_-]{43}' },
  {
    id: 'langsmith-key',
    what: message('a LangSmith API key'),
    starts: ['lsv2_pt_', 'lsv2_sk_'],
    rest: '[0-9a-f]{32}_[0-9a-f]{8,12}',
  },
  { id: 'elevenlabs-key', what: message('an ElevenLabs API key'), starts: ['sk_'], rest: '[0-9a-f]{48}' },
  {
    id: 'stripe-key',
    what: message('a Stripe key'),
    starts: ['rk_live_', 'sk_live_', 'rk_test_', 'sk_test_'],
    rest: '[A-Za-z0-9]{20,250}',
  },
  { id: 'databricks-token', what: message('a Databricks token'), starts: ['dapi'], rest: '[0-9a-f]{32}' },
  { id: 'npm-token', what: message('an npm token'), starts: ['npm_'], rest: '[A-Za-z0-9]{36}' },
  { id: 'pypi-token', what: message('a PyPI token'), starts: ['pypi-AgEI'], rest: '[A-Za-z0-9_-]{40,400}' },
  {
    id: 'age-key',
    what: message('an age secret key'),
    starts: ['AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-PQ-1'],
    rest: '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,120}',
  },
  { id: 'vault-token', what: message('a Vault token'), starts: ['hvs.', 'hvb.'], rest: '[A-Za-z0-9_-]{24,200}' },
  {
    id: 'doppler-token',
    what: message('a Doppler token'),
    starts: ['dp.pt.', 'dp.st.'],
    rest: '[A-Za-z0-9_.-]{40,80}',
  },
  {
    id: 'shopify-token',
    what: message('a Shopify token'),
    starts: ['shpat_', 'shpss_', 'shpca_'],
    rest: '[0-9a-fA-F]{32}',
  },
  {
    id: 'sendgrid-key',
    what: message('a SendGrid API key'),
    starts: ['SG.'],
    rest: '[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{40,46}',
  },
  {
    id: 'jwt',
    what: message('a JSON web token'),
    starts: ['eyJ'],
    rest: '[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,2000}',
  },
];

const SLACK_WEBHOOK: SecretShape = {
  id: 'slack-webhook',
  what: message('a Slack webhook'),
  starts: ['https://hooks.slack.com/services/'],
  pattern: /https:\/\/hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,30})/y,
  minEntropy: 3,
  isInBase64: false,
  isDistinct: false,
};

const DISCORD_WEBHOOK: SecretShape = {
  id: 'discord-webhook',
  what: message('a Discord webhook'),
  starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
  pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[A-Za-z0-9_-]{60,80})/y,
  minEntropy: 3,
  isInBase64: false,
  isDistinct: false,
};

const BEARER: SecretShape = {
  id: 'bearer-token',
  what: message('a bearer token'),
  starts: ['Bearer', 'bearer'],
  // YAML may fold the line between the two.
  pattern:
    /[Bb]earer(?:(?:[ \t]|\\{1,4}t|%20|\+){1,3}|\r?\n[ \t]{1,40})(?<secret>[A-Za-z0-9._~+/-]{16,4000}={0,2})(?![A-Za-z0-9_+/=-])/y,
  minEntropy: 3,
  isInBase64: false,
  isDistinct: false,
};

/** The kinds that are recognised by their beginning, the most specific first. */
export const SECRET_SHAPES: readonly SecretShape[] = [...TOKENS.map(shape), SLACK_WEBHOOK, DISCORD_WEBHOOK, BEARER];

/** A kind of secret that is recognised by what surrounds it. */
export interface SecretPattern {
  readonly id: string;
  readonly what: string;
  /** Global; the secret is the group `secret`. All quantifiers are bounded, so that a search takes linear time. */
  readonly pattern: RegExp;
  readonly minEntropy: number;
  /** One of these is in every match, in either case: they are faster to find. Or it begins with a long word before a dot. */
  readonly contains: readonly string[] | 'dotted-word';
}

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    // `https://name:password@host`, where the name may be missing.
    id: 'url-password',
    contains: ['://'],
    what: message('a password in a URL'),
    pattern: /:\/\/[^\s/:@"'\\?#]{0,100}:(?<secret>[^\s/@"'\\?#]{3,200})@(?=[A-Za-z0-9[])/g,
    minEntropy: 2,
  },
  {
    id: 'basic-auth',
    contains: ['basic'],
    what: message('a user name and password'),
    pattern: /[Aa]uthorization\W{1,30}[Bb]asic[ \t]{1,3}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9_+/=-])/g,
    minEntropy: 2.5,
  },
  {
    id: 'telegram-token',
    contains: [':aa'],
    what: message('a Telegram bot token'),
    pattern: /(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))(?:bot)?(?<secret>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/g,
    minEntropy: 3,
  },
  {
    id: 'discord-token',
    contains: 'dotted-word',
    what: message('a Discord bot token'),
    pattern:
      /(?:(?<![A-Za-z0-9_.-])|(?<=\\[nrtbf]))(?<secret>[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_.-])/g,
    minEntropy: 3,
  },
  {
    id: 'azure-key',
    contains: ['key=', 'secretvalue='],
    what: message('an Azure account key'),
    pattern:
      /(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})(?![A-Za-z0-9+/=])/gi,
    minEntropy: 3,
  },
  {
    id: 'azure-signature',
    contains: ['sig='],
    what: message('a shared access signature of Azure'),
    pattern: /[?&;\s"']sig=(?<secret>[A-Za-z0-9+/%_-]{40,140}(?:=|%3D){0,2})(?![A-Za-z0-9+/%=_-])/gi,
    minEntropy: 3,
  },
  {
    // Passwords in the parts of connection strings and forms, which end with `;` or `&`.
    id: 'connection-password',
    contains: ['password=', 'pwd='],
    what: message('a password in a connection string'),
    pattern: /(?:^|[;&\s"'])(?:password|pwd)=(?<secret>[^\s"'\\;&<>{}[\]$*]{6,200})[;&]/gi,
    minEntropy: 2,
  },
];
