import { message } from '../text/l10n';
import { composePattern, escapePattern } from '../text/pattern';

/** A kind of secret that is recognised by its beginning, or as a whole. */
export interface SecretShape {
  /** Stable, since programs rely on it. */
  readonly id: string;
  /** The name of the kind, with an article. */
  readonly what: string;
  /** How secrets of this kind begin, which may be shown; empty if only the whole tells them. */
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
  /** Absent if the kind has no beginning of at least three characters. */
  readonly starts?: readonly string[];
  /** The pattern after the start. */
  readonly rest: string;
  readonly minEntropy?: number;
}

/** Of the start of a secret that may stand anywhere. */
const SHORTEST_DISTINCT = 6;

function shape({ id, what, starts = [], rest, minEntropy = 3 }: Shape): SecretShape {
  const isInBase64 = starts.every((start) => /^[A-Za-z0-9+/]+$/.test(start)) && !rest.includes('\\.');
  const isDistinct =
    starts.length > 0 &&
    starts.every((start) => start.length >= SHORTEST_DISTINCT && /[-_]/.test(start) && start !== 'secret_');
  const end = isDistinct ? '' : isInBase64 ? '(?![A-Za-z0-9_+=-])' : '(?![A-Za-z0-9_-])';
  const start = starts.map(escapePattern).join('|');
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

/** That a digit and a capital are among the first characters, unlike in words. */
const DRAWN = '(?=[A-Za-z_-]{0,20}[0-9])(?=[a-z0-9_-]{0,20}[A-Z])';
/** What follows a token of GitLab that names the server it is for. */
const ROUTED = '(?:\\.[0-9a-z]{2}\\.[0-9a-z]{7,9})?';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
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
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
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
  // Of an installation since April 2026: the app's id, and a JSON web token.
  {
    id: 'github-token',
    what: GITHUB,
    starts: ['ghs_', 'ghu_'],
    rest: '(?:[0-9]{1,12}_)?eyJ[A-Za-z0-9_-]{10,2000}(?:\\.[A-Za-z0-9_-]{10,2000}){2}',
  },
  { id: 'github-token', what: GITHUB, starts: ['github_pat_'], rest: '[A-Za-z0-9_]{22,255}' },
  { id: 'gitlab-token', what: message('a GitLab token'), starts: ['glpat-'], rest: `[A-Za-z0-9_-]{20,300}${ROUTED}` },
  {
    id: 'slack-token',
    what: SLACK,
    starts: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    rest: '[A-Za-z0-9-]{10,250}',
    minEntropy: 2.5,
  },
  { id: 'slack-token', what: SLACK, starts: ['xapp-', 'xwfp-'], rest: '[A-Za-z0-9-]{20,250}' },
  // The cookie of a browser.
  { id: 'slack-token', what: SLACK, starts: ['xoxd-'], rest: '[A-Za-z0-9%/+_-]{20,400}(?:%3D|=){0,2}' },
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
    starts: ['rk_live_', 'sk_live_', 'rk_test_', 'sk_test_', 'sk_org_live_', 'sk_org_test_'],
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
  {
    id: 'vault-token',
    what: message('a Vault token'),
    starts: ['hvs.', 'hvb.', 'hvr.'],
    rest: '[A-Za-z0-9_-]{24,200}',
  },
  {
    id: 'doppler-token',
    what: message('a Doppler token'),
    starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    rest: '[A-Za-z0-9_.-]{40,80}',
  },
  {
    id: 'shopify-token',
    what: message('a Shopify token'),
    starts: ['shpat_', 'shpss_', 'shpca_', 'shppa_'],
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
  {
    id: 'atlassian-token',
    what: message('an Atlassian API token'),
    starts: ['ATATT3', 'ATCTT3'],
    rest: '[A-Za-z0-9_=-]{60,400}',
  },
  { id: 'atlassian-token', what: message('a Bitbucket app password'), starts: ['ATBB'], rest: '[A-Za-z0-9]{28,40}' },
  { id: 'grafana-token', what: message('a Grafana token'), starts: ['glsa_'], rest: '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}' },
  { id: 'grafana-token', what: message('a Grafana token'), starts: ['glc_'], rest: '[A-Za-z0-9+/]{32,400}={0,2}' },
  {
    id: 'grafana-token',
    what: message('a Grafana token'),
    starts: ['eyJrIjoi'],
    rest: '[A-Za-z0-9+/]{43}iLCJuIjoi[A-Za-z0-9+/]{4,200}={0,2}',
  },
  {
    id: 'newrelic-key',
    what: message('a New Relic key'),
    starts: ['NRAK-', 'NRIQ-', 'NRII-', 'NRRA-', 'NRSP-'],
    rest: '[A-Za-z0-9_-]{27,48}',
  },
  { id: 'newrelic-key', what: message('a New Relic key'), starts: ['NRJS-'], rest: '[0-9a-f]{19}' },
  { id: 'airtable-token', what: message('an Airtable token'), starts: ['pat'], rest: '[A-Za-z0-9]{14}\\.[0-9a-f]{64}' },
  {
    id: 'figma-token',
    what: message('a Figma token'),
    starts: ['figd_', 'figu_', 'figo_', 'figor_'],
    rest: '[A-Za-z0-9_-]{36,60}',
  },
  { id: 'dropbox-token', what: message('a Dropbox token'), starts: ['sl.'], rest: '(?:u\\.)?[A-Za-z0-9_-]{100,2000}' },
  {
    id: 'facebook-token',
    what: message('a Facebook access token'),
    starts: ['EAA', 'IGQV', 'IGAA'],
    rest: '[A-Za-z0-9]{80,500}',
  },
  {
    id: 'twitter-token',
    what: message('a Twitter bearer token'),
    rest: 'A{18,24}(?=[A-Za-z0-9]{0,60}%(?:2B|2F|3D))[A-Za-z0-9%]{60,140}',
  },
  { id: 'square-token', what: message('a Square token'), starts: ['EAAA'], rest: '[A-Za-z0-9_-]{60}' },
  {
    id: 'square-token',
    what: message('a Square token'),
    starts: ['sq0atp-', 'sq0csp-', 'sq0idp-'],
    rest: '[A-Za-z0-9_-]{22,43}',
  },
  {
    id: 'mapbox-token',
    what: message('a Mapbox token'),
    starts: ['sk.eyJ1Ijoi', 'tk.eyJ1Ijoi', 'pk.eyJ1Ijoi'],
    rest: '[A-Za-z0-9_-]{20,300}\\.[A-Za-z0-9_-]{20,40}',
  },
  { id: 'mailgun-key', what: message('a Mailgun API key'), starts: ['key-'], rest: '[0-9a-f]{32}' },
  { id: 'mailgun-key', what: message('a Mailgun API key'), rest: '[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}' },
  { id: 'mailchimp-key', what: message('a Mailchimp API key'), rest: '[0-9a-f]{32}-us[0-9]{1,2}' },
  { id: 'twilio-key', what: message('a Twilio API key'), rest: 'SK[0-9a-f]{32}' },
  {
    id: 'sentry-token',
    what: message('a Sentry token'),
    starts: ['sntrys_'],
    rest: '[A-Za-z0-9+/=]{60,600}_[A-Za-z0-9+/]{43}',
  },
  {
    id: 'sentry-token',
    what: message('a Sentry token'),
    starts: ['sntryu_', 'sntrya_', 'sntryi_'],
    rest: '[0-9a-f]{64}',
  },
  {
    id: 'paseto',
    what: message('a PASETO token'),
    starts: [
      'v1.local.',
      'v2.local.',
      'v3.local.',
      'v4.local.',
      'v1.public.',
      'v2.public.',
      'v3.public.',
      'v4.public.',
    ],
    rest: '[A-Za-z0-9_-]{40,4000}(?:\\.[A-Za-z0-9_-]{4,1000})?',
  },
  {
    id: 'jwe',
    what: message('an encrypted JSON web token'),
    starts: ['eyJ'],
    rest: '[A-Za-z0-9_-]{10,2000}\\.[A-Za-z0-9_-]{0,2000}\\.[A-Za-z0-9_-]{8,200}\\.[A-Za-z0-9_-]{1,8000}\\.[A-Za-z0-9_-]{16,200}',
  },
  {
    id: 'gitlab-token',
    what: message('a GitLab token'),
    starts: [
      ...['gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glptt-', 'glft-'],
      ...['glimt-', 'glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    ],
    rest: `[A-Za-z0-9_-]{20,300}${ROUTED}`,
  },
  {
    id: 'stripe-webhook-secret',
    what: message('a signing secret of a webhook'),
    starts: ['whsec_'],
    rest: '[A-Za-z0-9+/]{32}[A-Za-z0-9]{0,48}={0,2}',
  },
  {
    id: 'docker-token',
    what: message('a Docker access token'),
    starts: ['dckr_pat_', 'dckr_oat_'],
    rest: '[A-Za-z0-9_-]{27,40}',
  },
  { id: 'postman-key', what: message('a Postman API key'), starts: ['PMAK-'], rest: '[0-9a-f]{24}-[0-9a-f]{34}' },
  { id: 'contentful-token', what: message('a Contentful token'), starts: ['CFPAT-'], rest: '[A-Za-z0-9_-]{43}' },
  { id: 'pulumi-token', what: message('a Pulumi token'), starts: ['pul-'], rest: '[0-9a-f]{40}' },
  { id: 'heroku-key', what: message('a Heroku API key'), starts: ['HRKU-'], rest: '[A-Za-z0-9_-]{36,80}' },
  { id: 'rubygems-key', what: message('a RubyGems API key'), starts: ['rubygems_'], rest: '[0-9a-f]{48}' },
  { id: 'crates-token', what: message('a crates.io token'), starts: ['cio'], rest: '[A-Za-z0-9]{32}' },
  { id: 'clojars-token', what: message('a Clojars token'), starts: ['CLOJARS_'], rest: '[a-z0-9]{60}' },
  {
    id: 'planetscale-token',
    what: message('a PlanetScale token'),
    starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    rest: '[A-Za-z0-9_.=-]{32,64}',
  },
  { id: 'prefect-key', what: message('a Prefect API key'), starts: ['pnu_', 'pnb_'], rest: '[A-Za-z0-9]{36}' },
  { id: 'readme-key', what: message('a ReadMe API key'), starts: ['rdme_'], rest: '[a-z0-9]{70}' },
  {
    id: 'shippo-token',
    what: message('a Shippo token'),
    starts: ['shippo_live_', 'shippo_test_'],
    rest: '[0-9a-f]{40}',
  },
  {
    id: 'brevo-key',
    what: message('a Brevo API key'),
    starts: ['xkeysib-', 'xsmtpsib-'],
    rest: '[0-9a-f]{64}-[A-Za-z0-9]{16}',
  },
  { id: 'typeform-token', what: message('a Typeform token'), starts: ['tfp_'], rest: '[A-Za-z0-9_.=-]{40,64}' },
  { id: 'easypost-key', what: message('an EasyPost API key'), starts: ['EZAK', 'EZTK'], rest: '[A-Za-z0-9]{54}' },
  {
    id: 'duffel-token',
    what: message('a Duffel token'),
    starts: ['duffel_live_', 'duffel_test_'],
    rest: '[A-Za-z0-9_=-]{43}',
  },
  {
    id: 'dynatrace-token',
    what: message('a Dynatrace token'),
    starts: ['dt0c01.', 'dt0s01.', 'dt0s16.'],
    rest: '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}',
  },
  { id: 'sonar-token', what: message('a SonarQube token'), starts: ['sqp_', 'squ_', 'sqa_'], rest: '[0-9a-f]{40}' },
  { id: 'posthog-key', what: message('a PostHog personal API key'), starts: ['phx_'], rest: '[A-Za-z0-9]{43,60}' },
  { id: 'resend-key', what: message('a Resend API key'), starts: ['re_'], rest: '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}' },
  {
    id: 'netlify-token',
    what: message('a Netlify token'),
    starts: ['nfp_', 'nfc_', 'nfo_', 'nfb_', 'nfu_'],
    rest: '[A-Za-z0-9]{36}',
  },
  { id: 'neon-key', what: message('a Neon API key'), starts: ['napi_'], rest: '[a-z0-9]{60,70}' },
  {
    id: 'vercel-token',
    what: message('a Vercel token'),
    starts: ['vercel_blob_rw_', 'vcp_', 'vck_', 'vci_', 'vca_', 'vcr_'],
    rest: '[A-Za-z0-9_]{24,80}',
  },
  {
    id: 'onepassword-token',
    what: message('a 1Password service account token'),
    starts: ['ops_eyJ'],
    rest: '[A-Za-z0-9+/_-]{200,2000}={0,2}',
  },
  {
    id: 'launchdarkly-key',
    what: message('a LaunchDarkly key'),
    starts: ['sdk-', 'api-'],
    rest: '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  },
  {
    id: 'honeycomb-key',
    what: message('a Honeycomb key'),
    starts: ['hcaik_', 'hcamk_', 'hcxik_'],
    rest: '[A-Za-z0-9]{26,64}',
  },
  { id: 'buildkite-token', what: message('a Buildkite token'), starts: ['bkua_'], rest: '[0-9a-f]{40}' },
  {
    id: 'circleci-token',
    what: message('a CircleCI token'),
    starts: ['CCIPAT_', 'CCIPRJ_'],
    rest: '[A-Za-z0-9]{20,24}_[0-9a-f]{40}',
  },
  { id: 'jfrog-key', what: message('a JFrog API key'), starts: ['AKCp'], rest: '[A-Za-z0-9]{60,75}' },
  {
    id: 'tailscale-key',
    what: message('a Tailscale key'),
    starts: ['tskey-api-', 'tskey-auth-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'],
    rest: '[A-Za-z0-9]{10,24}-[A-Za-z0-9]{20,40}',
  },
  { id: 'e2b-key', what: message('an E2B API key'), starts: ['e2b_'], rest: '[0-9a-f]{40}' },
  { id: 'wandb-key', what: message('a Weights & Biases API key'), starts: ['wandb_v1_'], rest: '[A-Za-z0-9_]{40,120}' },
  {
    id: 'alibaba-key-id',
    what: message('an Alibaba Cloud access key id'),
    starts: ['LTAI'],
    rest: '[A-Za-z0-9]{17,26}',
  },
  { id: 'fly-token', what: message('a Fly.io token'), starts: ['fo1_'], rest: '[A-Za-z0-9_-]{43}' },
  {
    id: 'fly-token',
    what: message('a Fly.io token'),
    starts: ['fm1r_', 'fm2_'],
    rest: '[A-Za-z0-9+/]{100,2000}={0,3}',
  },
  { id: 'nuget-key', what: message('a NuGet API key'), starts: ['oy2'], rest: '[a-z0-9]{43}' },
  { id: 'adafruit-key', what: message('an Adafruit IO key'), starts: ['aio_'], rest: '[A-Za-z0-9]{28}' },
  { id: 'frameio-token', what: message('a Frame.io token'), starts: ['fio-u-'], rest: '[A-Za-z0-9_=-]{64}' },
  { id: 'google-key', what: message('a Google API key'), starts: ['AQ.'], rest: '[A-Za-z0-9_-]{45,85}' },
  {
    id: 'aws-bedrock-key',
    what: message('an Amazon Bedrock API key'),
    starts: ['bedrock-api-key-'],
    rest: '[A-Za-z0-9+/_=-]{60,2000}',
  },
  { id: 'helicone-key', what: message('a Helicone API key'), starts: ['sk-helicone-'], rest: '[a-z0-9-]{20,60}' },
  { id: 'letta-key', what: message('a Letta API key'), starts: ['sk-let-'], rest: '[A-Za-z0-9=]{40,120}' },
  {
    id: 'secret-key',
    what: message('a secret key'),
    starts: ['sk_prod_', 'sk_dev_', 'sk_staging_'],
    rest: '[A-Za-z0-9_-]{20,250}',
  },
  { id: 'cartesia-key', what: message('a Cartesia API key'), starts: ['sk_car_'], rest: '[A-Za-z0-9_-]{20,60}' },
  {
    id: 'modal-token',
    what: message('a Modal token'),
    starts: ['as-'],
    rest: '(?=[A-Za-z0-9]{0,21}[0-9])(?=[A-Za-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}',
  },
  {
    id: 'brave-key',
    what: message('a Brave Search API key'),
    starts: ['BSA'],
    rest: '(?=[A-Za-z0-9_-]{0,27}[0-9])[A-Za-z0-9_-]{28}',
  },
  { id: 'apify-token', what: message('an Apify token'), starts: ['apify_api_'], rest: '[A-Za-z0-9]{30,60}' },
  {
    id: 'browserbase-key',
    what: message('a Browserbase API key'),
    starts: ['bb_live_', 'bb_test_'],
    rest: '[A-Za-z0-9_-]{20,60}',
  },
  { id: 'render-key', what: message('a Render API key'), starts: ['rnd_'], rest: '[A-Za-z0-9]{28,40}' },
  {
    id: 'hubspot-token',
    what: message('a HubSpot token'),
    starts: ['pat-na1-', 'pat-na2-', 'pat-na3-', 'pat-eu1-', 'pat-ap1-'],
    rest: UUID,
  },
  {
    id: 'flutterwave-key',
    what: message('a Flutterwave key'),
    starts: ['FLWSECK-', 'FLWSECK_TEST-'],
    rest: '[0-9a-f]{32}-X',
  },
  { id: 'tencent-key-id', what: message('a Tencent Cloud key id'), starts: ['AKID'], rest: '[A-Za-z0-9]{32}' },
  { id: 'yandex-key', what: message('a Yandex Cloud API key'), starts: ['AQVN'], rest: '[A-Za-z0-9_-]{35,38}' },
  {
    id: 'cloudflare-token',
    what: message('a Cloudflare token'),
    starts: ['cfk_', 'cfut_', 'cfat_'],
    rest: '[A-Za-z0-9]{40,64}',
  },
  {
    id: 'sourcegraph-token',
    what: message('a Sourcegraph token'),
    starts: ['sgp_'],
    rest: '(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}',
  },
  { id: 'scalingo-token', what: message('a Scalingo token'), starts: ['tk-us-', 'tk-eu-'], rest: '[A-Za-z0-9_-]{48}' },
  { id: 'openshift-token', what: message('an OpenShift token'), starts: ['sha256~'], rest: '[A-Za-z0-9_-]{43}' },
  {
    id: 'octopus-key',
    what: message('an Octopus Deploy API key'),
    starts: ['API-'],
    rest: '(?=[A-Z0-9]{0,25}[0-9])[A-Z0-9]{26}',
  },
  {
    id: 'onepassword-key',
    what: message('a 1Password secret key'),
    starts: ['A3-'],
    rest: '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  },
  {
    id: 'nebula-key',
    what: message('a Defined Networking API key'),
    starts: ['dnkey-'],
    rest: '[a-zA-Z0-9=_-]{26}-[a-zA-Z0-9=_-]{52}',
  },
  {
    id: 'harness-token',
    what: message('a Harness token'),
    starts: ['pat.', 'sat.'],
    rest: '[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}',
  },
  { id: 'together-key', what: message('a Together API key'), starts: ['tgp_v1_'], rest: '[A-Za-z0-9_-]{40,60}' },
  { id: 'mem0-key', what: message('a Mem0 API key'), starts: ['m0-'], rest: '[A-Za-z0-9]{40}' },
  { id: 'llamacloud-key', what: message('a LlamaCloud API key'), starts: ['llx-'], rest: '[A-Za-z0-9]{40,64}' },
  { id: 'arcade-key', what: message('an Arcade API key'), starts: ['arc_'], rest: '[A-Za-z0-9]{40,80}' },
  {
    id: 'logfire-token',
    what: message('a Logfire token'),
    starts: ['pylf_v1_', 'pylf_v2_'],
    rest: '(?:[a-z]{2,8}_)?[A-Za-z0-9_-]{40,80}',
  },
  {
    id: 'axiom-token',
    what: message('an Axiom token'),
    starts: ['xaat-', 'xapt-'],
    rest: UUID,
  },
  {
    id: 'arize-key',
    what: message('an Arize API key'),
    starts: ['ak-'],
    rest: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[A-Za-z0-9_-]{20,60}',
  },
  { id: 'anyscale-key', what: message('an Anyscale key'), starts: ['esecret_'], rest: '[a-z0-9]{20,60}' },
  { id: 'runpod-key', what: message('a RunPod API key'), starts: ['rpa_'], rest: '[A-Z0-9]{36}[A-Za-z0-9]{4,8}' },
  { id: 'retell-key', what: message('a Retell API key'), starts: ['key_'], rest: '[0-9a-f]{28}' },
  {
    id: 'lambda-key',
    what: message('a Lambda Cloud API key'),
    starts: ['secret_'],
    rest: '[A-Za-z0-9-]{1,40}_[0-9a-f]{32}\\.[A-Za-z0-9]{32}',
  },
  {
    id: 'deno-token',
    what: message('a Deno Deploy token'),
    starts: ['ddp_', 'ddo_', 'ddw_'],
    rest: '[A-Za-z0-9]{36,40}',
  },
  {
    id: 'inngest-key',
    what: message('an Inngest signing key'),
    starts: ['signkey-prod-', 'signkey-branch-', 'signkey-test-'],
    rest: '[0-9a-f]{32,64}',
  },
  { id: 'daytona-key', what: message('a Daytona API key'), starts: ['dtn_'], rest: '[0-9a-f]{64}' },
  {
    id: 'polar-token',
    what: message('a Polar token'),
    starts: ['polar_oat_', 'polar_pat_'],
    rest: '[A-Za-z0-9_-]{32,80}',
  },
  {
    id: 'paddle-key',
    what: message('a Paddle API key'),
    starts: ['pdl_live_apikey_', 'pdl_sdbx_apikey_'],
    rest: '[a-z0-9]{26}_[A-Za-z0-9]{20,30}_[A-Za-z0-9]{3}',
  },
  {
    id: 'stytch-secret',
    what: message('a Stytch secret'),
    starts: ['secret-live-', 'secret-test-'],
    rest: '[A-Za-z0-9_=-]{36}',
  },
  { id: 'ngrok-token', what: message('an ngrok token'), rest: '[123][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}' },
  { id: 'maxmind-key', what: message('a MaxMind licence key'), rest: '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk' },
  {
    id: 'zhipu-key',
    what: message('a Zhipu API key'),
    rest: '[0-9a-f]{32}\\.(?=[a-z0-9]{0,15}[A-Z])[A-Za-z0-9]{16}',
  },
  { id: 'infracost-key', what: message('an Infracost API key'), starts: ['ico-'], rest: '[A-Za-z0-9]{32}' },
  {
    id: 'aws-session-token',
    what: message('an AWS session token'),
    starts: ['IQoJb3JpZ2luX2Vj', 'FwoGZXIvYXdz'],
    rest: '[A-Za-z0-9+/]{100,3000}={0,2}',
  },
  {
    id: 'copilot-token',
    what: message('a GitHub Copilot token'),
    starts: ['tid='],
    rest: '[0-9a-f]{32};[a-z]{2,8}=[^\\s"\'\\\\]{10,1200}:[0-9a-f]{64}',
  },
  {
    id: 'baidu-key',
    what: message('a Baidu AI Cloud API key'),
    starts: ['bce-v3/ALTAK-'],
    rest: '[A-Za-z0-9]{16,32}/[0-9a-f]{40}',
  },
  {
    id: 'volcengine-key-id',
    what: message('a Volcano Engine access key id'),
    starts: ['AKLT'],
    rest: '[A-Za-z0-9]{40,60}',
  },
  { id: 'coze-token', what: message('a Coze token'), starts: ['pat_', 'sat_'], rest: '[A-Za-z0-9]{64}' },
  {
    id: 'dify-key',
    what: message('a Dify API key'),
    starts: ['app-', 'dataset-'],
    rest: `${DRAWN}[A-Za-z0-9]{24}`,
    minEntropy: 3.5,
  },
  { id: 'fastgpt-key', what: message('a FastGPT API key'), starts: ['fastgpt-'], rest: '[A-Za-z0-9]{40,80}' },
  { id: 'modelscope-token', what: message('a ModelScope token'), starts: ['ms-'], rest: UUID },
  { id: 'context7-key', what: message('a Context7 API key'), starts: ['ctx7sk-'], rest: UUID },
  { id: 'cursor-key', what: message('a Cursor API key'), starts: ['crsr_', 'key_'], rest: '[0-9a-f]{64}' },
  { id: 'runway-key', what: message('a Runway API key'), starts: ['key_'], rest: '[0-9a-f]{128}' },
  {
    id: 'snyk-token',
    what: message('a Snyk token'),
    starts: ['snyk_uat.', 'snyk_sat.'],
    rest: '[0-9a-f]{8}\\.[A-Za-z0-9_.-]{20,400}',
  },
  {
    id: 'salesforce-session',
    what: message('the session of Salesforce'),
    starts: ['00D'],
    rest: '[A-Za-z0-9]{12,15}!A[A-Za-z0-9._]{60,120}',
  },
  {
    id: 'plaid-token',
    what: message('a Plaid access token'),
    starts: ['access-production-', 'access-sandbox-', 'access-development-'],
    rest: UUID,
  },
  { id: 'asana-token', what: message('an Asana token'), rest: '[12]/[0-9]{15,17}(?:/[0-9]{15,17})?:[0-9a-f]{32}' },
  { id: 'clickup-token', what: message('a ClickUp token'), starts: ['pk_'], rest: '[0-9]{5,9}_[A-Z0-9]{32}' },
  { id: 'friendli-token', what: message('a Friendli token'), starts: ['flp_'], rest: '[A-Za-z0-9]{40,60}' },
  {
    id: 'chutes-key',
    what: message('a Chutes API key'),
    starts: ['cpk_'],
    rest: '[0-9a-f]{32}\\.[0-9a-f]{32}\\.[A-Za-z0-9]{32}',
  },
  { id: 'adobe-secret', what: message('a client secret of Adobe'), starts: ['p8e-'], rest: '[A-Za-z0-9]{32}' },
  { id: 'jfrog-key', what: message('a JFrog API key'), starts: ['cmVmd'], rest: '[A-Za-z0-9]{59}' },
  {
    id: 'authress-key',
    what: message('an Authress access key'),
    starts: ['sc_', 'ext_', 'scauth_', 'authress_'],
    rest: '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}',
  },
  { id: 'clickhouse-key', what: message('a ClickHouse Cloud key'), starts: ['4b1d'], rest: '[A-Za-z0-9]{38}' },
  {
    id: 'settlemint-token',
    what: message('a SettleMint token'),
    starts: ['sm_aat_', 'sm_pat_', 'sm_sat_'],
    rest: '[A-Za-z0-9]{16}',
  },
  {
    id: 'intra42-secret',
    what: message('a client secret of Intra42'),
    starts: ['s-s4t2ud-', 's-s4t2af-'],
    rest: '[0-9a-f]{64}',
  },
  { id: 'lob-key', what: message('a Lob API key'), starts: ['live_', 'test_'], rest: '[0-9a-f]{35}' },
  { id: 'huggingface-token', what: message('a Hugging Face token'), starts: ['api_org_'], rest: '[A-Za-z0-9]{34}' },
  { id: 'zoho-token', what: message('a Zoho token'), starts: ['1000.'], rest: '[0-9a-f]{32}\\.[0-9a-f]{32}' },
  {
    id: 'convex-key',
    what: message('a Convex deploy key'),
    starts: ['prod:', 'preview:', 'dev:'],
    rest: '[a-z0-9:-]{3,80}\\|eyJ2[A-Za-z0-9+/]{20,400}={0,2}',
  },
  { id: 'trello-token', what: message('a Trello token'), starts: ['ATTA'], rest: '[0-9a-f]{64}[A-Z0-9]{8}' },
  { id: 'google-token', what: message('a Google authorization code'), starts: ['4/0A'], rest: '[A-Za-z0-9_-]{60,90}' },
  {
    id: 'google-refresh-token',
    what: message('a Google refresh token'),
    starts: ['AMf-vB'],
    rest: '[A-Za-z0-9_-]{100,600}',
  },
  {
    id: 'ollama-key',
    what: message('an Ollama API key'),
    rest: '[0-9a-f]{32}\\.(?=[a-z0-9_-]{0,23}[A-Z])[A-Za-z0-9_-]{24}',
  },
  { id: 'llama-key', what: message('a Llama API key'), starts: ['LLM|'], rest: '[0-9]{10,20}\\|[A-Za-z0-9_-]{20,40}' },
  { id: 'elastic-key', what: message('an Elastic API key'), starts: ['essu_'], rest: '[A-Za-z0-9+/]{40,200}={0,2}' },
  { id: 'fal-key', what: message('a fal API key'), rest: `${UUID}:[0-9a-f]{32}` },
  { id: 'luma-key', what: message('a Luma API key'), starts: ['luma-'], rest: `${UUID}-${UUID}` },
  { id: 'secret-key', what: message('a secret key'), starts: ['sk_'], rest: '[0-9a-f]{32}' },
  {
    id: 'composio-key',
    what: message('a Composio API key'),
    starts: ['ak_'],
    rest: `${DRAWN}[A-Za-z0-9_-]{20}`,
    minEntropy: 3.5,
  },
  // MiniMax, Kimi, Model Studio, Zapier and others name their kinds of keys; LiteLLM's have no kind.
  {
    id: 'openai-key',
    what: OPENAI,
    starts: ['sk-'],
    rest: `[a-z]{2,12}-(?:[0-9a-f]{32,64}|${DRAWN}[A-Za-z0-9_-]{24,250})`,
    minEntropy: 3.5,
  },
  { id: 'openai-key', what: OPENAI, starts: ['sk-'], rest: `${DRAWN}[A-Za-z0-9_-]{22}`, minEntropy: 3.5 },
  // As systems and servers store passwords.
  {
    id: 'password-hash',
    what: message('the hash of a password'),
    starts: ['$2a$', '$2b$', '$2y$', '$5$', '$6$', '$y$', '$apr1$', '$argon2id$', '$argon2i$'],
    rest: '(?:[A-Za-z0-9=,+./]{1,40}\\$){1,3}[./A-Za-z0-9+]{22,90}',
    minEntropy: 3.5,
  },
  // Whoever has the address of a webhook may write there.
  {
    id: 'slack-webhook',
    what: message('a Slack webhook'),
    starts: ['https://hooks.slack.com/'],
    rest: '(?:services|workflows|triggers)/(?<secret>[TE][A-Z0-9]{6,14}/[A-Z0-9]{6,16}(?:/[0-9]{10,22})?/[A-Za-z0-9]{20,40})',
  },
  {
    id: 'teams-webhook',
    what: message('a Microsoft Teams webhook'),
    starts: ['webhook.office.com/webhookb2/'],
    rest: `[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/(?<secret>[0-9a-f]{32}/[0-9a-f-]{36})`,
  },
  {
    id: 'discord-webhook',
    what: message('a Discord webhook'),
    starts: ['discord.com/api/', 'discordapp.com/api/'],
    rest: '(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/(?<secret>[A-Za-z0-9_-]{60,80})',
  },
  {
    id: 'feishu-webhook',
    what: message('a webhook of Feishu'),
    starts: ['open.feishu.cn/open-apis/bot/', 'open.larksuite.com/open-apis/bot/'],
    rest: '(?:v2/)?hook/(?<secret>[0-9A-Za-z-]{32,40})',
  },
  {
    id: 'wecom-webhook',
    what: message('a webhook of WeCom'),
    starts: ['qyapi.weixin.qq.com/cgi-bin/webhook/'],
    rest: `[a-z_]{4,20}\\?key=(?<secret>${UUID})`,
  },
  {
    id: 'zapier-webhook',
    what: message('a Zapier webhook'),
    starts: ['hooks.zapier.com/hooks/'],
    rest: '(?:catch|standard)/(?<secret>[0-9]{4,12}/[a-z0-9]{5,12})',
    minEntropy: 2,
  },
];

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

/** The kinds that are recognised by their beginning, or as a whole; the most specific first. */
export const SECRET_SHAPES: readonly SecretShape[] = [...TOKENS.map(shape), BEARER];
