import type { Json } from '../../json/json';
import type { ProtocolId } from '../../model/interaction';
import { endpointOf } from '../endpoints';
import { urlPath } from '../http';
import type { Protocol, StreamEvent } from '../protocol';
import { PROTOCOLS } from '../registry';
import { isRecognised } from '../shared/messages';

/** The signs of an exchange's protocol. */
interface Evidence {
  /** The path of the URL; absent if only the response was recorded. */
  readonly path?: string;
  readonly request: Json | undefined;
  readonly response: Json | undefined;
  readonly events: readonly StreamEvent[];
}

/** The path alone is enough, two signs in the bodies overrule it, and one sign alone is too little. */
const OWN_PATH = 6;
const RESPONSE = 4;
const REQUEST = 3;
const SHARED_PATH = 2;
const ENOUGH = 5;
const ALL_SIGNS = OWN_PATH + RESPONSE + REQUEST;

/** The protocol of an exchange, judged by its URL and the shape of its bodies. */
export function detectProtocol(evidence: Evidence): Protocol | undefined {
  const enough = evidence.path === undefined ? RESPONSE : ENOUGH;
  const byEndpoint = evidence.path === undefined ? undefined : endpointOf(evidence.path).protocol;
  const paths = PROTOCOLS.map((protocol) => ({
    protocol,
    byPath: scorePath(protocol, evidence.path ?? '', byEndpoint),
  }));
  // Where the bodies say what the path says, no other protocol can have more signs.
  const own = paths.filter(({ byPath }) => byPath === OWN_PATH);
  const sure = own.length === 1 ? own.find((one) => scoreEvidence(one, evidence) === ALL_SIGNS) : undefined;
  if (sure !== undefined) return sure.protocol;
  let best: { readonly protocol: Protocol; readonly score: number } | undefined;
  for (const one of paths) {
    const score = scoreEvidence(one, evidence);
    if (score >= enough && score > (best?.score ?? 0)) best = { protocol: one.protocol, score };
  }
  return best?.protocol;
}

function scorePath({ id, endpoints }: Protocol, path: string, byEndpoint: ProtocolId | undefined): number {
  if (id === byEndpoint || endpoints.ownPattern?.test(path)) return OWN_PATH;
  return endpoints.shared?.test(path) ? SHARED_PATH : 0;
}

function scoreEvidence(
  { protocol, byPath }: { readonly protocol: Protocol; readonly byPath: number },
  { request, response, events }: Evidence,
): number {
  const byRequest = request !== undefined && protocol.isRequest(request) ? REQUEST : 0;
  const hasResponse = (response !== undefined && protocol.isResponse(response)) || recognisesStream(protocol, events);
  return byPath + byRequest + (hasResponse ? RESPONSE : 0);
}

/** A stream shows its protocol within its first events. */
const SAMPLED_EVENTS = 8;

function recognisesStream(protocol: Protocol, events: readonly StreamEvent[]): boolean {
  return events.slice(0, SAMPLED_EVENTS).some((event) => protocol.isEvent(event));
}

/** The protocol of a request by itself: that of its path, else of its body. Undefined for other traffic. */
export function protocolOfRequest(url: string, body: Json): ProtocolId | undefined {
  const path = urlPath(url);
  const byPath = endpointOf(path).protocol ?? PROTOCOLS.find(({ endpoints }) => endpoints.ownPattern?.test(path))?.id;
  if (byPath !== undefined) return byPath;
  const shared = PROTOCOLS.filter(({ endpoints }) => endpoints.shared?.test(path));
  const isCall = (protocol: Protocol): boolean => protocol.isRequest(body);
  return (shared.find(isCall) ?? PROTOCOLS.find(isCall) ?? shared[0])?.id;
}

/** The protocol of a response that was polled for; undefined while the response is still incomplete. */
export function detectPolledProtocol(path: string, response: Json | undefined): Protocol | undefined {
  if (response === undefined) return undefined;
  return PROTOCOLS.find(
    ({ endpoints, isResponse, readResponse }) =>
      endpoints.polling?.test(path) && isResponse(response) && isRecognised(readResponse(response)),
  );
}
