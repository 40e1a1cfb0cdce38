import type { ProtocolId } from '../model/interaction';
import { urlPath } from './http';
import type { PathGroup } from './protocol';
import { PROTOCOLS } from './registry';

/** The endpoint of a request, the same on every host that serves it. */
interface Endpoint {
  /** Its path below the base of the API, with `{model}` for a model in it: `/chat/completions`, `/model/{model}/converse`. */
  readonly path: string;
  /** The model, where the URL has it. */
  readonly model?: string;
  /** The protocol of calls to this endpoint, if the path alone determines it. */
  readonly protocol?: ProtocolId;
}

interface EndpointGroup extends PathGroup {
  /** The only protocol at these paths. */
  readonly protocol?: ProtocolId;
}

/** Paths of providers that belong to no protocol. */
const OTHER_PATHS: readonly PathGroup[] = [
  // OpenAI, and the many hosts that offer the same; Anthropic's models and files are there as well.
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
  // Mistral.
  { below: 'any', paths: ['/chat/moderations', '/chat/classifications'] },
  { below: 'api', paths: ['/ocr', '/classifications'] },
];

/** Every path that clients of the supported protocols call, below the base of the API. */
export const ENDPOINTS: readonly EndpointGroup[] = [
  ...PROTOCOLS.flatMap(({ id, endpoints: { own = [], others = [] } }) => [
    ...own.map((group) => ({ ...group, protocol: id })),
    ...others,
  ]),
  ...OTHER_PATHS,
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
  // A recorded URL may lack all before its path.
  const general = pathWithoutModel(path.startsWith('/') ? path : `/${path}`);
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

const MODELS_IN_PATHS = PROTOCOLS.flatMap(({ endpoints }) => endpoints.models ?? []);

/** The model named in a URL path; undefined if there is none. */
export function modelInPath(path: string): string | undefined {
  const span = modelSpan(path);
  return span && path.slice(...span);
}

/** The path with `{model}` in place of the model that it names. */
export function pathWithoutModel(path: string): string {
  const [start, end] = modelSpan(path) ?? [path.length, path.length];
  return start === end ? path : `${path.slice(0, start)}{model}${path.slice(end)}`;
}

/** The URL with another model in its path; undefined if its path names none. */
export function withModelInUrl(url: string, model: string): string | undefined {
  const [path = ''] = /^[^?#]*/.exec(url) ?? [];
  const [start, end] = modelSpan(path) ?? [0, 0];
  if (start === end) return undefined;
  // If a name such as `owner/model` is two segments, the new one may be, too.
  const written = path.slice(start, end).includes('/')
    ? model.split('/').map(encodeURIComponent).join('/')
    : encodeURIComponent(model);
  return `${url.slice(0, start)}${written}${url.slice(end)}`;
}

function modelSpan(path: string): readonly [start: number, end: number] | undefined {
  for (const pattern of MODELS_IN_PATHS) {
    const span = pattern.exec(path)?.indices?.[1];
    if (span !== undefined) return span;
  }
  return undefined;
}
