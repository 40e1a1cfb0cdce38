import { urlPath } from '../http';

/** A method whose messages are known. The tables of their fields are for who writes them: to read a tape takes none. */
export interface KnownMethod {
  /** Whose conversation the messages are. */
  readonly api: 'gemini' | 'xai';
  readonly table: 'generativeLanguage' | 'vertex' | 'xai';
  readonly client: string;
  readonly server: string;
}

const GENERATE = { api: 'gemini', client: 'GenerateContentRequest', server: 'GenerateContentResponse' } as const;
const COMPLETION = { api: 'xai', table: 'xai', client: 'GetCompletionsRequest' } as const;

const METHODS: readonly (readonly [path: RegExp, method: KnownMethod])[] = [
  [
    /\/google\.cloud\.aiplatform\.v\w+\.PredictionService\/(?:Stream)?GenerateContent$/,
    { ...GENERATE, table: 'vertex' },
  ],
  [
    /\/google\.ai\.generativelanguage\.v\w+\.GenerativeService\/(?:Stream)?GenerateContent$/,
    { ...GENERATE, table: 'generativeLanguage' },
  ],
  [/\/xai_api\.Chat\/GetCompletion$/, { ...COMPLETION, server: 'GetChatCompletionResponse' }],
  [/\/xai_api\.Chat\/GetCompletionChunk$/, { ...COMPLETION, server: 'GetChatCompletionChunk' }],
];

export function knownMethod(url: string): KnownMethod | undefined {
  const path = urlPath(url);
  return METHODS.find(([pattern]) => pattern.test(path))?.[1];
}

/** The method that a URL calls, such as `Chat/GetCompletion`, without its package. */
export function methodName(url: string): string {
  return urlPath(url)
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/^.*\.(?=.*\/)/, '');
}
