import type { ProtocolId } from '../model/interaction';
import { modelInPath, pathWithoutModel, urlPath } from './http';

/** The endpoint of a request, the same on every host that serves it. */
export interface Endpoint {
  /** Its path below the base of the API, with `{model}` for a model in it: `/chat/completions`, `/model/{model}/converse`. */
  readonly path: string;
  /** The model, where the URL has it. */
  readonly model?: string;
  /** The protocol of calls to this endpoint, if the path alone determines it. */
  readonly protocol?: ProtocolId;
}

interface EndpointGroup {
  /** The only protocol at these paths. */
  readonly protocol?: ProtocolId;
  /**
   * The base of the API that may precede the paths. `any`: whatever it is, because no other service has such paths. `api`: one
   * that ends in a version or in the name of an API, because other services have such paths too.
   */
  readonly below: 'any' | 'api';
  /** `{id}` stands for any one segment. */
  readonly paths: readonly string[];
}

/** Every path that clients of the supported protocols call, below the base of the API. */
export const ENDPOINTS: readonly EndpointGroup[] = [
  // OpenAI, and the many hosts that offer the same.
  { protocol: 'openai-chat', below: 'any', paths: ['/chat/completions'] },
  { below: 'any', paths: ['/chat/completions/{id}', '/chat/completions/{id}/messages'] },
  { protocol: 'openai-responses', below: 'any', paths: ['/responses'] },
  {
    below: 'api',
    paths: [
      '/responses/{id}',
      '/responses/{id}/cancel',
      '/responses/{id}/input_items',
      '/responses/input_tokens',
      '/responses/compact',
      '/conversations',
      '/conversations/{id}',
      '/conversations/{id}/items',
      '/conversations/{id}/items/{id}',
    ],
  },
  { protocol: 'embeddings', below: 'any', paths: ['/embeddings'] },
  { protocol: 'text-generation', below: 'any', paths: ['/completions'] },
  {
    below: 'api',
    paths: [
      '/assistants',
      '/assistants/{id}',
      '/threads',
      '/threads/runs',
      '/threads/{id}',
      '/threads/{id}/messages',
      '/threads/{id}/messages/{id}',
      '/threads/{id}/runs',
      '/threads/{id}/runs/{id}',
      '/threads/{id}/runs/{id}/cancel',
      '/threads/{id}/runs/{id}/steps',
      '/threads/{id}/runs/{id}/steps/{id}',
      '/threads/{id}/runs/{id}/submit_tool_outputs',
    ],
  },
  {
    below: 'api',
    paths: [
      '/audio/speech',
      '/audio/transcriptions',
      '/audio/translations',
      '/batches',
      '/batches/{id}',
      '/batches/{id}/cancel',
      '/files',
      '/files/{id}',
      '/files/{id}/content',
      '/images/edits',
      '/images/generations',
      '/images/variations',
      '/models',
      '/models/{id}',
      '/moderations',
      '/uploads',
      '/uploads/{id}/cancel',
      '/uploads/{id}/complete',
      '/uploads/{id}/parts',
      '/vector_stores',
      '/vector_stores/{id}',
      '/vector_stores/{id}/file_batches',
      '/vector_stores/{id}/file_batches/{id}',
      '/vector_stores/{id}/files',
      '/vector_stores/{id}/files/{id}',
      '/vector_stores/{id}/search',
    ],
  },
  // Anthropic. Its models and files are at the paths of OpenAI's.
  { protocol: 'anthropic-messages', below: 'api', paths: ['/messages'] },
  {
    below: 'api',
    paths: [
      '/messages/count_tokens',
      '/messages/batches',
      '/messages/batches/{id}',
      '/messages/batches/{id}/cancel',
      '/messages/batches/{id}/results',
    ],
  },
  { protocol: 'text-generation', below: 'api', paths: ['/complete'] },
  // Gemini and Vertex.
  {
    protocol: 'gemini',
    below: 'any',
    paths: ['/models/{model}:generateContent', '/models/{model}:streamGenerateContent'],
  },
  {
    protocol: 'embeddings',
    below: 'any',
    paths: ['/models/{model}:embedContent', '/models/{model}:batchEmbedContents'],
  },
  {
    below: 'any',
    paths: [
      '/models/{model}:countTokens',
      '/models/{model}:batchGenerateContent',
      '/models/{model}:predictLongRunning',
    ],
  },
  {
    protocol: 'anthropic-messages',
    below: 'any',
    paths: ['/publishers/anthropic/models/{model}:rawPredict', '/publishers/anthropic/models/{model}:streamRawPredict'],
  },
  {
    protocol: 'gemini-code-assist',
    below: 'any',
    paths: ['/v1internal:generateContent', '/v1internal:streamGenerateContent'],
  },
  { protocol: 'gemini-interactions', below: 'api', paths: ['/interactions'] },
  {
    below: 'api',
    paths: ['/interactions/{id}', '/interactions/{id}/cancel', '/cachedContents', '/cachedContents/{id}'],
  },
  // Bedrock. What `invoke` sends is the protocol of the model.
  { protocol: 'bedrock-converse', below: 'any', paths: ['/model/{model}/converse', '/model/{model}/converse-stream'] },
  {
    below: 'any',
    paths: ['/model/{model}/invoke', '/model/{model}/invoke-with-response-stream', '/model/{model}/count-tokens'],
  },
  // Cohere: the version belongs to the endpoint, whose requests it changes.
  { protocol: 'cohere', below: 'any', paths: ['/v2/chat'] },
  { protocol: 'embeddings', below: 'any', paths: ['/v1/embed', '/v2/embed'] },
  { below: 'any', paths: ['/v1/chat', '/v1/generate', '/v1/rerank', '/v2/rerank', '/v1/classify', '/v1/tokenize'] },
  // Ollama.
  { protocol: 'ollama', below: 'any', paths: ['/api/chat', '/api/generate'] },
  { protocol: 'embeddings', below: 'any', paths: ['/api/embed', '/api/embeddings'] },
  { below: 'any', paths: ['/api/tags', '/api/show', '/api/ps', '/api/version', '/api/pull'] },
  // Voyage, Replicate, Cloudflare and Hugging Face.
  { protocol: 'embeddings', below: 'any', paths: ['/multimodalembeddings'] },
  { below: 'any', paths: ['/models/{model}/predictions', '/ai/run/{model}'] },
  { below: 'api', paths: ['/predictions', '/predictions/{id}', '/models/{model}'] },
  // Mistral, beside OpenAI's paths.
  { below: 'any', paths: ['/fim/completions', '/agents/completions', '/chat/moderations', '/chat/classifications'] },
  { below: 'api', paths: ['/ocr', '/classifications', '/conversations/{id}/messages', '/conversations/{id}/history'] },
];

/** The last segment of an API's base: a version, or the name of the API. */
const API_BASE = /^(?:v\d+[a-z]*\d*|openai|anthropic|gemini|ollama|mistral|groq|cohere|openrouter)$/i;

interface Template {
  readonly group: EndpointGroup;
  readonly segments: readonly string[];
}

/** The templates by their first segment. */
const TEMPLATES = templatesByFirst();

function templatesByFirst(): ReadonlyMap<string, readonly Template[]> {
  const byFirst = new Map<string, Template[]>();
  for (const group of ENDPOINTS) {
    for (const path of group.paths) {
      const segments = path.slice(1).split('/');
      const first = segments[0] ?? '';
      byFirst.set(first, [...(byFirst.get(first) ?? []), { group, segments }]);
    }
  }
  return byFirst;
}

/** An endpoint with the number of segments before it, which are the base of its API. */
interface FoundEndpoint extends Endpoint {
  readonly baseSegments: number;
  readonly isModelInBase: boolean;
}

/** Tapes and agents use few URLs, again and again. */
const found = new Map<string, FoundEndpoint>();
const MAX_FOUND = 1_000;

/** The endpoint of a URL, with a host or without. A URL of no known endpoint is one by its whole path. */
export function endpointOf(url: string): Endpoint {
  const { path, model, protocol } = findOnce(urlPath(url));
  return { path, ...(model !== undefined && { model }), ...(protocol && { protocol }) };
}

/**
 * The path and query of a URL without host and without the base of the API, so that the same request is the same text on every
 * host. A model in the base stays, since it belongs to the request.
 */
export function comparablePath(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
  const { baseSegments, isModelInBase } = findOnce(urlPath(path));
  if (baseSegments === 0 || isModelInBase) return path;
  let start = 0;
  for (let skipped = 0; skipped < baseSegments; skipped += 1) start = path.indexOf('/', start + 1);
  return path.slice(start);
}

function findOnce(path: string): FoundEndpoint {
  const known = found.get(path);
  if (known !== undefined) return known;
  const endpoint = find(path);
  if (found.size >= MAX_FOUND) found.clear();
  found.set(path, endpoint);
  return endpoint;
}

function find(path: string): FoundEndpoint {
  const model = modelInPath(path);
  const general = pathWithoutModel(path);
  const segments = general.replace(/\/+$/, '').split('/').slice(1);
  for (const at of segments.keys()) {
    const rest = segments.slice(at);
    const template = TEMPLATES.get(rest[0] ?? '')?.find((one) => fits(one, rest, segments[at - 1]));
    if (template === undefined) continue;
    const protocol = isBelowBase(template, at) ? template.group.protocol : undefined;
    return {
      path: `/${rest.join('/')}`,
      ...(model !== undefined && { model }),
      ...(protocol && { protocol }),
      baseSegments: at,
      isModelInBase: segments.slice(0, at).some((segment) => segment.includes('{model}')),
    };
  }
  return { path: general, ...(model !== undefined && { model }), baseSegments: 0, isModelInBase: false };
}

/** At the root of a host, the paths that are not unusual say nothing. */
function isBelowBase({ group }: Template, at: number): boolean {
  return group.below === 'any' || at > 0;
}

function fits({ group, segments }: Template, rest: readonly string[], before: string | undefined): boolean {
  if (rest.length !== segments.length) return false;
  if (group.below === 'api' && before !== undefined && !API_BASE.test(before)) return false;
  return segments.every((segment, index) => (segment === '{id}' ? isId(rest[index]) : segment === rest[index]));
}

function isId(segment = ''): boolean {
  return segment !== '' && !segment.includes('{model}');
}
