import type { Json } from '../../json/json';
import type { ProtocolId } from '../../model/interaction';
import { endpointOf } from '../endpoints';
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

/** The protocol of an exchange, judged by its URL and the shape of its bodies. */
export function detectProtocol(evidence: Evidence): Protocol | undefined {
  const enough = evidence.path === undefined ? RESPONSE : ENOUGH;
  const byEndpoint = evidence.path === undefined ? undefined : endpointOf(evidence.path).protocol;
  let best: { readonly protocol: Protocol; readonly score: number } | undefined;
  for (const protocol of PROTOCOLS) {
    const score = scoreEvidence(protocol, evidence, byEndpoint);
    if (score >= enough && score > (best?.score ?? 0)) best = { protocol, score };
  }
  return best?.protocol;
}

function scoreEvidence(
  protocol: Protocol,
  { path = '', request, response, events }: Evidence,
  byEndpoint: ProtocolId | undefined,
): number {
  const isOwn = protocol.id === byEndpoint || protocol.path.test(path);
  const byPath = isOwn ? OWN_PATH : protocol.sharedPath?.test(path) ? SHARED_PATH : 0;
  const byRequest = request !== undefined && protocol.isRequest(request) ? REQUEST : 0;
  const hasResponse = (response !== undefined && protocol.isResponse(response)) || recognisesStream(protocol, events);
  return byPath + byRequest + (hasResponse ? RESPONSE : 0);
}

/** A stream shows its protocol within its first events. */
const SAMPLED_EVENTS = 8;

function recognisesStream(protocol: Protocol, events: readonly StreamEvent[]): boolean {
  return events.slice(0, SAMPLED_EVENTS).some((event) => protocol.isEvent(event));
}

/** The protocol of a response that was polled for; undefined while the response is still incomplete. */
export function detectPolledProtocol(path: string, response: Json | undefined): Protocol | undefined {
  if (response === undefined) return undefined;
  return PROTOCOLS.find(
    ({ pollingPath, isResponse, readResponse }) =>
      pollingPath?.test(path) && isResponse(response) && isRecognised(readResponse(response)),
  );
}
