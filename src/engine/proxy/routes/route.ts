import { comparablePath } from '../../../core/wire/endpoints';
import { signedRegion } from '../../network/awsSignature';
import { type Upstream, type Upstreams, upstreamOfHost } from './upstreams';

/** The destination of a request. */
export interface Route {
  readonly upstream: Upstream;
  /** The whole address at the upstream, as it is recorded; absent for one that can only be replayed. */
  readonly target: URL | undefined;
  /** What the host of `target` has for an upstream: the request is sent there, see `sentTo`. */
  readonly ofHost?: Upstream;
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
  /** The address at the host that the agent called, or at the API's own; absent where that is not known. */
  readonly publicUrl?: URL;
  /** Passed on in a recording, and refused in a replay. */
  readonly isIgnored?: true;
}

/** A segment of a path that leads upwards, in every spelling that a server may take for one. */
const DOT_SEGMENT = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\?#;]|%2f|%5c)/i;

/** Whether the path of a request could leave the base URL of its upstream. */
export function leavesBase(path: string): boolean {
  return DOT_SEGMENT.test(path.replace(/[?#].*$/s, ''));
}

/** A lane in a path or an address: `~` and its name, percent-encoded. */
export function laneSegment(lane: string): string {
  return `~${encodeURIComponent(lane)}`;
}

/** The lane that a path names first, after the token, and what follows it. */
export function splitLane(path: string): { readonly lane: string | undefined; readonly rest: string } {
  const [whole = '', encoded] = /^\/~([^/?#]{1,3000})/.exec(path) ?? [];
  return { lane: encoded === undefined ? undefined : decoded(encoded), rest: path.slice(whole.length) };
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
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
  const { lane: sessionId, rest: afterLane } = splitLane(path);
  const [, name = '', rest = ''] = /^\/([a-z][a-z0-9-]*)(\/[^#]*|\?[^#]*)?/.exec(afterLane) ?? [];
  const upstream = upstreams.get(name) ?? (name === '' ? undefined : otherwise?.(name));
  if (upstream === undefined || leavesBase(afterLane)) return undefined;
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
    ...(upstream.url !== undefined && { publicUrl: new URL(`${new URL(upstream.url).origin}${fullPath}`) }),
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

/** The route with the upstream of the host that it leads to, by whatever door the request came. */
export function throughHost(route: Route, upstreams: Upstreams): Route {
  const ofHost = route.target && upstreamOfHost(upstreams, route.target);
  return ofHost === undefined ? route : { ...route, ofHost };
}

/** Where a request to the target of a route is sent. */
export function sentTo(target: URL, { ofHost }: Pick<Route, 'ofHost'>): URL {
  const { address } = ofHost ?? {};
  // What is below that address is there already.
  if (address === undefined || `${baseOf(target)}/`.startsWith(`${baseOf(address)}/`)) return target;
  const path = `${address.pathname.replace(/\/+$/, '')}${target.pathname}${target.search}`;
  return new URL(`${address.origin}${path}${ownQuery(address, path)}`);
}

/** Origin and base path, without a slash at the end. */
export function baseOf({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The parameters that the address of an upstream has for every request, such as a version. */
function ownQuery({ search }: URL, rest: string): string {
  if (search === '') return '';
  return rest.includes('?') ? `&${search.slice(1)}` : search;
}
