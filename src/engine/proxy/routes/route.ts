import { comparablePath } from '../../../core/wire/endpoints';
import { signedRegion } from '../../network/awsSignature';
import type { Upstream, Upstreams } from './upstreams';

/** The destination of a request. */
export interface Route {
  readonly upstream: Upstream;
  /** The whole address at the upstream; absent for one that can only be replayed. */
  readonly target: URL | undefined;
  /** Path and query at the upstream, with the base of its API. */
  readonly fullPath: string;
  /** The same without the base, as in `comparablePath`. */
  readonly path: string;
  /** The base URL of the API at the proxy, as this client calls it. */
  readonly clientBase: string;
  /** Keeps the recordings of runs apart that use the proxy at the same time; it is in the agent's base URL. */
  readonly sessionId: string | undefined;
  /** Of a request to a host that is no model's: only recordings of this host are served. */
  readonly host?: string;
  /** The address that the agent asked for, as it is recorded where the upstream is another. */
  readonly asked?: URL;
  /** Passed on in a recording, and refused in a replay. */
  readonly isIgnored?: true;
}

/** A segment of a path that leads upwards, in every spelling that a server may take for one. */
const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\?#;]|%2f|%5c)/i;

/** Whether the path of a request could leave the base URL of its upstream. */
export function leavesBase(path: string): boolean {
  return DOT_SEGMENT.test(path.replace(/[?#].*$/s, ''));
}

/**
 * The route of `/NAME/…` or `/~SESSION/NAME/…`, which follows the token. Undefined if no upstream has that name, and for a
 * path that leaves the base URL. `otherwise` gives an upstream for a name that has none.
 */
export function routeOf(
  path: string,
  upstreams: Upstreams,
  otherwise?: (name: string) => Upstream,
): Omit<Route, 'clientBase'> | undefined {
  const [, sessionId, name = '', rest = ''] =
    /^(?:\/~([\w.-]{1,80}))?\/([a-z][a-z0-9-]*)(\/[^#]*|\?[^#]*)?/.exec(path) ?? [];
  const upstream = upstreams.get(name) ?? (name === '' ? undefined : otherwise?.(name));
  if (upstream === undefined || leavesBase(path)) return undefined;
  const { address, optionalPrefix = '' } = upstream;
  const needsPrefix = optionalPrefix !== '' && !rest.startsWith(`${optionalPrefix}/`) && !rest.startsWith('/api/');
  const full = needsPrefix ? optionalPrefix + rest : rest;
  const base = address === undefined ? '' : address.pathname.replace(/\/$/, '');
  const fullPath = `${base}${full}${address === undefined ? '' : ownQuery(address, full)}`;
  return {
    upstream,
    target: address && new URL(`${address.origin}${fullPath}`),
    fullPath,
    path: comparablePath(fullPath),
    sessionId,
  };
}

const BEDROCK = /^(bedrock-runtime(?:-fips)?)\.[a-z0-9-]+\.(?=amazonaws\.com$)/;

/** The route to the region that a request to Bedrock was signed for: a base URL at this proxy says none. */
export function inSignedRegion(route: Route, authorization: string | undefined): Route {
  const { target } = route;
  const region = target !== undefined && BEDROCK.test(target.hostname) ? signedRegion(authorization) : undefined;
  if (target === undefined || region === undefined) return route;
  const regional = new URL(target);
  regional.hostname = target.hostname.replace(BEDROCK, `$1.${region}.`);
  return { ...route, target: regional };
}

/** The parameters that the address of an upstream has for every request, such as a version. */
function ownQuery({ search }: URL, rest: string): string {
  if (search === '') return '';
  return rest.includes('?') ? `&${search.slice(1)}` : search;
}
