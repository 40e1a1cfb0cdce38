import { parseHttpUrl } from './hosts';

/** A provider's keys, and the hosts that they belong to. */
interface KeyOwner {
  readonly variables: readonly string[];
  readonly hosts: readonly RegExp[];
  /** Variables in which the user names a host of their own, such as a gateway. */
  readonly addresses?: readonly string[];
  /** The key is for more than models. */
  readonly isGeneral?: true;
}

const OWNERS: readonly KeyOwner[] = [
  {
    variables: ['OPENAI_API_KEY', 'OPENAI_KEY', 'OPENAI_ADMIN_KEY'],
    hosts: [/^(?:(?:eu|us)\.)?api\.openai\.com$/],
    addresses: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
  },
  {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_API_KEY'],
    hosts: [/^api\.anthropic\.com$/],
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
  },
  {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENAI_API_KEY'],
    hosts: [/^generativelanguage\.googleapis\.com$/, /^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$/],
    addresses: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_BASE'],
  },
  {
    variables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    // Anyone can have a host below Azure's domains: the user's own is the one that they name.
    hosts: [],
    addresses: ['AZURE_OPENAI_ENDPOINT', 'AZURE_API_BASE'],
  },
  {
    variables: ['MISTRAL_API_KEY'],
    hosts: [/^(?:api|codestral)\.mistral\.ai$/],
    addresses: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE'],
  },
  { variables: ['CODESTRAL_API_KEY'], hosts: [/^codestral\.mistral\.ai$/] },
  { variables: ['GROQ_API_KEY'], hosts: [/^api\.groq\.com$/], addresses: ['GROQ_BASE_URL', 'GROQ_API_BASE'] },
  {
    variables: ['OPENROUTER_API_KEY'],
    hosts: [/^openrouter\.ai$/],
    addresses: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'],
  },
  {
    variables: ['CO_API_KEY', 'COHERE_API_KEY'],
    hosts: [/^api\.cohere\.(?:com|ai)$/],
    addresses: ['CO_API_URL', 'CO_BASE_URL', 'COHERE_API_BASE'],
  },
  {
    variables: ['AWS_BEARER_TOKEN_BEDROCK'],
    hosts: [/^bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com$/],
    addresses: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'ANTHROPIC_BEDROCK_BASE_URL'],
  },
  { variables: ['DEEPSEEK_API_KEY'], hosts: [/^api\.deepseek\.com$/], addresses: ['DEEPSEEK_API_BASE'] },
  { variables: ['XAI_API_KEY'], hosts: [/^api\.x\.ai$/], addresses: ['XAI_API_BASE'] },
  {
    variables: ['TOGETHER_API_KEY', 'TOGETHERAI_API_KEY', 'TOGETHER_AI_API_KEY'],
    hosts: [/^api\.together\.(?:xyz|ai)$/],
    addresses: ['TOGETHER_BASE_URL'],
  },
  { variables: ['FIREWORKS_API_KEY', 'FIREWORKS_AI_API_KEY'], hosts: [/^api\.fireworks\.ai$/] },
  { variables: ['PERPLEXITY_API_KEY', 'PERPLEXITYAI_API_KEY', 'PPLX_API_KEY'], hosts: [/^api\.perplexity\.ai$/] },
  { variables: ['CEREBRAS_API_KEY'], hosts: [/^api\.cerebras\.ai$/] },
  { variables: ['NVIDIA_API_KEY', 'NVIDIA_NIM_API_KEY'], hosts: [/^integrate\.api\.nvidia\.com$/] },
  {
    variables: ['HF_TOKEN', 'HUGGINGFACE_API_KEY', 'HUGGINGFACEHUB_API_TOKEN', 'HUGGING_FACE_HUB_TOKEN'],
    hosts: [/^(?:(?:router|api-inference)\.)?huggingface\.co$/],
    isGeneral: true,
  },
  { variables: ['MOONSHOT_API_KEY'], hosts: [/^api\.moonshot\.(?:ai|cn)$/] },
  { variables: ['DASHSCOPE_API_KEY'], hosts: [/^dashscope(?:-intl|-us)?\.aliyuncs\.com$/] },
  { variables: ['ZAI_API_KEY', 'ZHIPUAI_API_KEY'], hosts: [/^api\.z\.ai$/, /^open\.bigmodel\.cn$/] },
  { variables: ['SAMBANOVA_API_KEY'], hosts: [/^api\.sambanova\.ai$/] },
  { variables: ['VOYAGE_API_KEY'], hosts: [/^api\.voyageai\.com$/] },
  { variables: ['AI21_API_KEY'], hosts: [/^api\.ai21\.com$/] },
  { variables: ['REPLICATE_API_TOKEN', 'REPLICATE_API_KEY'], hosts: [/^api\.replicate\.com$/] },
  { variables: ['OLLAMA_API_KEY'], hosts: [/^ollama\.com$/], addresses: ['OLLAMA_HOST', 'OLLAMA_BASE_URL'] },
  {
    variables: ['GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_PAT'],
    hosts: [/^models\.github\.ai$/, /^api\.github\.com$/],
    isGeneral: true,
  },
  {
    variables: ['LANGSMITH_API_KEY', 'LANGCHAIN_API_KEY'],
    hosts: [/^(?:(?:eu|apac)\.)?api\.smith\.langchain\.com$/],
    addresses: ['LANGSMITH_ENDPOINT', 'LANGCHAIN_ENDPOINT'],
    isGeneral: true,
  },
];

type Environment = (name: string) => string | undefined;

/** Whether a key belongs to the host of an address: to its provider's own, over an encrypted connection, or to one that the user's environment names for it. */
export function belongsTo(variable: string, url: URL, environment: Environment): boolean {
  return OWNERS.filter(({ variables }) => variables.includes(variable)).some(({ hosts, addresses = [] }) => {
    const isOwn = url.protocol === 'https:' && url.port === '' && hosts.some((host) => host.test(url.hostname));
    return isOwn || addresses.some((name) => parseHttpUrl(environment(name)?.trim() ?? '')?.origin === url.origin);
  });
}

/** Names of variables that hold keys of providers. */
export const KNOWN_KEYS: readonly string[] = OWNERS.flatMap(({ variables }) => variables);

/** Those of models alone. */
export const MODEL_KEYS: readonly string[] = OWNERS.flatMap(({ variables, isGeneral }) => (isGeneral ? [] : variables));

/** Whether a variable holds a secret, as far as its name tells. */
export function isSecretName(variable: string): boolean {
  if (KNOWN_KEYS.includes(variable)) return true;
  return /(?:^|_)(?:\w*KEY|\w*TOKEN|SECRETS?|PASS(?:WORD|WD|PHRASE)?|CREDENTIALS?|PAT|PWD|AUTH|DSN)(?:_|\d|$)/i.test(
    variable,
  );
}

/** What SDKs get in place of a key where none is needed: they refuse to start without one. */
export const STAND_IN_KEY = 'tapedeck-replay';

/** Providers' keys are longer. */
export const SHORTEST_KEY = 16;

/** Whether a provider's variable holds no key but a word in its place, as servers on this machine are often given. */
export function isStandInKey(variable: string, value: string): boolean {
  if (value === STAND_IN_KEY) return true;
  return value.length < SHORTEST_KEY && (KNOWN_KEYS.includes(variable) || variable.endsWith('_API_KEY'));
}
