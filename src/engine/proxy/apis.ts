/** How an API words its errors. */
export type ErrorShape = 'openai' | 'anthropic' | 'gemini' | 'ollama';

/** An API that agents speak, as its SDKs find it. */
export interface ModelApi {
  readonly name: string;
  /** What stands for it when nobody says otherwise: the base URL as its SDKs write it. */
  readonly url?: string;
  /** The variables that its SDKs read the base URL from; the first that is set is the upstream. */
  readonly baseUrlVariables: readonly string[];
  /** SDKs refuse to start without one of these; a replay needs none, and gets a stand-in. */
  readonly keyVariables: readonly string[];
  readonly errors: ErrorShape;
  /** What clients leave out that take it for part of the base URL. */
  readonly optionalPrefix?: string;
}

export const MODEL_APIS: readonly ModelApi[] = [
  {
    name: 'openai',
    url: 'https://api.openai.com/v1',
    baseUrlVariables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    keyVariables: ['OPENAI_API_KEY'],
    errors: 'openai',
  },
  {
    name: 'anthropic',
    url: 'https://api.anthropic.com',
    baseUrlVariables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
    keyVariables: ['ANTHROPIC_API_KEY'],
    errors: 'anthropic',
    // Anthropic's own SDK adds it, Vercel's provider does not.
    optionalPrefix: '/v1',
  },
  {
    name: 'gemini',
    url: 'https://generativelanguage.googleapis.com',
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_BASE'],
    keyVariables: ['GEMINI_API_KEY'],
    errors: 'gemini',
  },
  {
    name: 'ollama',
    url: 'http://127.0.0.1:11434',
    baseUrlVariables: ['OLLAMA_HOST', 'OLLAMA_API_BASE', 'OLLAMA_BASE_URL'],
    keyVariables: [],
    errors: 'ollama',
    // In front of what it has in common with OpenAI; its own paths begin with /api.
    optionalPrefix: '/v1',
  },
  {
    name: 'azure',
    baseUrlVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_API_BASE'],
    keyVariables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    errors: 'openai',
  },
  {
    name: 'openrouter',
    url: 'https://openrouter.ai/api/v1',
    baseUrlVariables: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'],
    keyVariables: [],
    errors: 'openai',
  },
  {
    name: 'mistral',
    url: 'https://api.mistral.ai',
    baseUrlVariables: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE'],
    keyVariables: [],
    errors: 'openai',
    optionalPrefix: '/v1',
  },
  {
    name: 'groq',
    url: 'https://api.groq.com',
    baseUrlVariables: ['GROQ_BASE_URL', 'GROQ_API_BASE'],
    keyVariables: [],
    errors: 'openai',
  },
  {
    name: 'cohere',
    url: 'https://api.cohere.com',
    baseUrlVariables: ['CO_API_URL'],
    keyVariables: [],
    errors: 'openai',
  },
  {
    name: 'bedrock',
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    baseUrlVariables: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'],
    keyVariables: [],
    errors: 'openai',
  },
];
