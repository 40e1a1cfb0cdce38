import { comparablePath } from '../../../core/wire/endpoints';
import type { Route } from './route';
import { hostUpstream, type Upstream, type Upstreams } from './upstreams';

/** A request that an agent made to an address of its own choice. */
export interface AddressedRequest {
  /** Such as `https://api.openai.com`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly sessionId: string | undefined;
}

/**
 * The route of a request that was made to a host, and not to a base URL of this proxy. Where the user or the project gives an
 * API or a host another upstream, the request goes there; otherwise to the address that it was made to.
 */
export function hostRoute({ origin, path, sessionId }: AddressedRequest, upstreams: Upstreams): Route | undefined {
  const asked = parse(`${origin}${path}`);
  if (asked === undefined) return undefined;
  const api = [...upstreams.values()].find((one) => servesHost(one, asked));
  const upstream = api ?? hostUpstream(asked.host);
  // A variable only says where SDKs find an API; an agent that calls another address means that one.
  const target = upstream.isRedirect ? redirected(asked, upstream) : asked;
  const fullPath = `${target.pathname}${target.search}`;
  const comparable = comparablePath(asked.pathname);
  return {
    upstream,
    target,
    fullPath,
    path: comparablePath(fullPath),
    clientBase: `${asked.origin}${asked.pathname.slice(0, asked.pathname.length - comparable.length)}`,
    sessionId,
    ...(upstream.isHost && { host: asked.host, asked }),
  };
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function servesHost({ name, isHost, url, hosts, address, isRedirect }: Upstream, asked: URL): boolean {
  if (isHost) return name === asked.host || name === asked.hostname;
  if (url !== undefined && new URL(url).host === asked.host) return true;
  if (hosts?.test(asked.hostname)) return true;
  return isRedirect && address?.host === asked.host;
}

/** The same request at the upstream, whose base takes the place of the API's own. */
function redirected(asked: URL, { address, url }: Upstream): URL {
  if (address === undefined || address.host === asked.host) return asked;
  const ownBase = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const rest = asked.pathname.startsWith(`${ownBase}/`) ? asked.pathname.slice(ownBase.length) : asked.pathname;
  return new URL(`${address.origin}${address.pathname.replace(/\/$/, '')}${rest}${asked.search}`);
}
