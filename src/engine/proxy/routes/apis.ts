import { anthropicMessages } from '../../../core/wire/anthropic/index';
import { bedrockConverse } from '../../../core/wire/bedrock/index';
import { cohere } from '../../../core/wire/cohere/index';
import { gemini } from '../../../core/wire/gemini/index';
import { ollama } from '../../../core/wire/ollama/index';
import { openaiChat } from '../../../core/wire/openaiChat/index';
import type { Protocol } from '../../../core/wire/protocol';

/** An API of model providers, and how its SDKs are configured. */
export interface ModelApi {
  readonly name: string;
  /** The public base URL, in the form that its SDKs take; absent if each customer has an own one. */
  readonly url?: string;
  /** Its other hosts, such as those of regions. */
  readonly hosts?: RegExp;
  /** The variables that its SDKs read the base URL from; the first that is set is the upstream. */
  readonly baseUrlVariables: readonly string[];
  /** SDKs refuse to start without one of these; a replay needs none, and gets a stand-in. */
  readonly keyVariables: readonly string[];
  /** Which of these a replay has stand-ins for, and what else SDKs refuse to start without; all of them where this is absent. */
  readonly standIns?: readonly string[];
  /** The protocol whose errors its SDKs read. */
  readonly errors: Pick<Protocol, 'writeError'>;
  /** A path prefix that some clients expect in the base URL, and others add themselves. */
  readonly optionalPrefix?: string;
}

export const MODEL_APIS: readonly ModelApi[] = [
  {
    name: 'openai',
    url: 'https://api.openai.com/v1',
    hosts: /^(?:eu|us)\.api\.openai\.com$/,
    baseUrlVariables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    keyVariables: ['OPENAI_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'anthropic',
    url: 'https://api.anthropic.com',
    baseUrlVariables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
    keyVariables: ['ANTHROPIC_API_KEY'],
    errors: anthropicMessages,
    // Anthropic's own SDK adds it, Vercel's provider does not.
    optionalPrefix: '/v1',
  },
  {
    name: 'gemini',
    url: 'https://generativelanguage.googleapis.com',
    hosts: /^(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com$/,
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_BASE'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENAI_API_KEY'],
    errors: gemini,
  },
  {
    name: 'ollama',
    url: 'http://127.0.0.1:11434',
    baseUrlVariables: ['OLLAMA_HOST', 'OLLAMA_API_BASE', 'OLLAMA_BASE_URL'],
    keyVariables: [],
    errors: ollama,
    // Before the endpoints it shares with OpenAI; its own paths begin with /api.
    optionalPrefix: '/v1',
  },
  {
    name: 'azure',
    hosts: /^[a-z0-9-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/,
    baseUrlVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_API_BASE'],
    keyVariables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'openrouter',
    url: 'https://openrouter.ai/api/v1',
    baseUrlVariables: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'],
    keyVariables: ['OPENROUTER_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'mistral',
    url: 'https://api.mistral.ai',
    baseUrlVariables: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE', 'MISTRAL_AZURE_API_BASE'],
    keyVariables: ['MISTRAL_API_KEY'],
    errors: openaiChat,
    optionalPrefix: '/v1',
  },
  {
    name: 'groq',
    url: 'https://api.groq.com',
    baseUrlVariables: ['GROQ_BASE_URL', 'GROQ_API_BASE'],
    keyVariables: ['GROQ_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'deepseek',
    url: 'https://api.deepseek.com',
    baseUrlVariables: ['DEEPSEEK_API_BASE'],
    keyVariables: ['DEEPSEEK_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'xai',
    url: 'https://api.x.ai/v1',
    baseUrlVariables: ['XAI_API_BASE'],
    keyVariables: ['XAI_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'together',
    url: 'https://api.together.xyz/v1',
    baseUrlVariables: ['TOGETHER_BASE_URL', 'TOGETHERAI_API_BASE'],
    keyVariables: ['TOGETHER_API_KEY', 'TOGETHERAI_API_KEY', 'TOGETHER_AI_API_KEY'],
    errors: openaiChat,
  },
  {
    name: 'cohere',
    url: 'https://api.cohere.com',
    baseUrlVariables: ['CO_API_URL', 'CO_BASE_URL', 'COHERE_API_BASE'],
    keyVariables: ['CO_API_KEY', 'COHERE_API_KEY'],
    errors: cohere,
  },
  {
    name: 'bedrock',
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    hosts: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/,
    baseUrlVariables: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'ANTHROPIC_BEDROCK_BASE_URL'],
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    // With a bearer token, AWS's SDKs demand https, which the proxy does not have.
    standIns: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    errors: bedrockConverse,
  },
];
