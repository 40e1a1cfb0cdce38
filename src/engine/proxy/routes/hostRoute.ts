import { comparablePath } from '../../../core/wire/endpoints';
import { type Route, sentTo, throughHost } from './route';
import { hostUpstream, isHostOf, type Upstream, type Upstreams, upstreamOfHost } from './upstreams';

/** A request that an agent made to an address of its own choice. */
export interface AddressedRequest {
  /** Such as `https://api.openai.com`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly sessionId: string | undefined;
}

/**
 * The request in a path such as `/@/https/api.openai.com/v1/models`, after the token and the lane: clients that a test runner leads
 * here name in it what they would have called. Undefined for any other path.
 */
export function addressedIn(path: string): Pick<AddressedRequest, 'origin' | 'path'> | undefined {
  const [, scheme, host, rest = ''] = /^\/@\/(https?)\/([^/?#@]+)((?:[/?][^#]*)?)$/.exec(path) ?? [];
  const address = `${scheme}://${host}${rest}`;
  if (scheme === undefined || !URL.canParse(address)) return undefined;
  const { origin, pathname, search } = new URL(address);
  return { origin, path: `${pathname}${search}` };
}

/**
 * The route of a request that was made to a host, and not to a base URL of this proxy: to the address that it was made to, or,
 * where the user or the project leads an API elsewhere, there. For a host that is led elsewhere itself, see `throughHost`.
 */
export function hostRoute({ origin, path, sessionId }: AddressedRequest, upstreams: Upstreams): Route | undefined {
  const asked = parse(`${origin}${path}`);
  if (asked === undefined) return undefined;
  const upstream = [...upstreams.values()].find((one) => servesApi(one, asked)) ?? hostUpstream(asked.host);
  // A variable only says where SDKs find an API; an agent that calls another address means that one.
  const isLed = upstream.isRedirect && upstreamOfHost(upstreams, asked) === undefined;
  const target = isLed ? redirected(asked, upstream) : asked;
  const fullPath = `${target.pathname}${target.search}`;
  const comparable = comparablePath(asked.pathname);
  return {
    upstream,
    target,
    fullPath,
    path: comparablePath(fullPath),
    clientBase: `${asked.origin}${asked.pathname.slice(0, asked.pathname.length - comparable.length)}`,
    sessionId,
    publicUrl: asked,
    ...(upstream.isHost && { host: asked.host }),
  };
}

/** Whether requests to an origin, such as `https://api.openai.com`, are sent to another. */
export function isLedElsewhere(origin: string, upstreams: Upstreams): boolean {
  const route = hostRoute({ origin, path: '/', sessionId: undefined }, upstreams);
  return route?.target !== undefined && sentTo(route.target, throughHost(route, upstreams)).origin !== origin;
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function servesApi(upstream: Upstream, asked: URL): boolean {
  const { isHost, isRedirect, address } = upstream;
  return !isHost && (isHostOf(upstream, asked) || (isRedirect && address?.host === asked.host));
}

/** The same request at the upstream, whose base takes the place of the API's own. */
function redirected(asked: URL, { address, url }: Upstream): URL {
  if (address === undefined || address.host === asked.host) return asked;
  const ownBase = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const rest = asked.pathname.startsWith(`${ownBase}/`) ? asked.pathname.slice(ownBase.length) : asked.pathname;
  return new URL(`${address.origin}${address.pathname.replace(/\/$/, '')}${rest}${asked.search}`);
}
