import type { Upstream, Upstreams } from './upstreams';

/** Where a request is to go. */
export interface Route {
  readonly upstream: Upstream;
  /** The whole address at the upstream; absent for one that can only be replayed. */
  readonly target: URL | undefined;
  /** What requests and recordings are compared by: path and query below the base URL of the API. */
  readonly path: string;
  /** Runs at the same time keep to their own recordings: the agent gets its lane with the base URL. */
  readonly lane: string | undefined;
}

/** The route of `/NAME/…` or `/~LANE/NAME/…`, which is what follows the token. Undefined where no upstream is called that. */
export function routeOf(path: string, upstreams: Upstreams): Route | undefined {
  const [, lane, name = '', rest = ''] =
    /^(?:\/~([\w.-]{1,80}))?\/([a-z][a-z0-9-]*)(\/[^#]*|\?[^#]*)?/.exec(path) ?? [];
  const upstream = upstreams.get(name);
  if (upstream === undefined) return undefined;
  const { address, optionalPrefix = '' } = upstream;
  const needsPrefix = optionalPrefix !== '' && !rest.startsWith(`${optionalPrefix}/`) && !rest.startsWith('/api/');
  const full = needsPrefix ? optionalPrefix + rest : rest;
  const base = address === undefined ? '' : address.pathname.replace(/\/$/, '');
  return {
    upstream,
    target: address && new URL(`${address.origin}${base}${full}${ownQuery(address, full)}`),
    path: comparablePath(`${base}${full}`),
    lane,
  };
}

/** An upstream may want parameters with every request, such as a version. */
function ownQuery({ search }: URL, rest: string): string {
  if (search === '') return '';
  return rest.includes('?') ? `&${search.slice(1)}` : search;
}

/** Every host has these under a base of its own (`/v1`, `/api/v1`, `/openai/v1`): what is asked for is what follows. */
const BASE = /^.*?(?=\/(?:chat\/completions|completions|responses|embeddings|messages)(?:[/?]|$))/;

/** The path and query of an address, with or without its host, as it is compared with those of recordings. */
export function comparablePath(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
  // Azure names the model there.
  return path.includes('/deployments/') ? path : path.replace(BASE, '');
}
