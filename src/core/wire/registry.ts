import type { Json } from '../json/json';
import type { ProtocolId } from '../model/interaction';
import { anthropicMessages } from './anthropic/index';
import { bedrockConverse } from './bedrock/index';
import { cohere } from './cohere/index';
import { embeddings } from './embeddings/index';
import { gemini } from './gemini/index';
import { geminiInteractions } from './geminiInteractions/index';
import { ollama } from './ollama/index';
import { openaiAssistants } from './openaiAssistants/index';
import { openaiChat } from './openaiChat/index';
import { openaiResponses } from './openaiResponses/index';
import type { Protocol, StreamEvent } from './protocol';
import { isRecognised } from './shared/messages';
import { textGeneration } from './textGeneration/index';

/** The more particular a protocol, the earlier it is asked. */
const PROTOCOLS: readonly Protocol[] = [
  openaiResponses,
  openaiAssistants,
  anthropicMessages,
  geminiInteractions,
  gemini,
  bedrockConverse,
  ollama,
  openaiChat,
  cohere,
  embeddings,
  textGeneration,
];

/** The protocol by its name. */
export function protocolById(api: ProtocolId | undefined): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.id === api);
}

/** What is known of an exchange before its protocol is. */
export interface Evidence {
  /** The path of the address; absent where only the answer was recorded. */
  readonly path?: string;
  readonly request: Json | undefined;
  readonly response: Json | undefined;
  readonly events: readonly StreamEvent[];
}

/** The protocol of an answer that was fetched after it was asked for; undefined while it is not there. */
export function detectPolled(path: string, response: Json | undefined): Protocol | undefined {
  if (response === undefined) return undefined;
  return PROTOCOLS.find(
    ({ pollingPath: fetched, isResponse, readResponse }) =>
      fetched?.test(path) && isResponse(response) && isRecognised(readResponse(response)),
  );
}

/** The path alone will do, two signs of the bodies overrule it, and one does not make a protocol. */
const SURE_PATH = 6;
const RESPONSE = 4;
const REQUEST = 3;
const SHARED_PATH = 2;
const ENOUGH = 5;

/** The protocol of an exchange: by its address and by what its bodies look like. */
export function detectProtocol(evidence: Evidence): Protocol | undefined {
  const enough = evidence.path === undefined ? RESPONSE : ENOUGH;
  let best: { readonly protocol: Protocol; readonly score: number } | undefined;
  for (const protocol of PROTOCOLS) {
    const score = scoreEvidence(protocol, evidence);
    if (score >= enough && score > (best?.score ?? 0)) best = { protocol, score };
  }
  return best?.protocol;
}

function scoreEvidence(protocol: Protocol, { path = '', request, response, events }: Evidence): number {
  const { path: sure, sharedPath: maybePath } = protocol;
  const byPath = sure.test(path) ? SURE_PATH : maybePath?.test(path) ? SHARED_PATH : 0;
  const byRequest = request !== undefined && protocol.isRequest(request) ? REQUEST : 0;
  const answered = (response !== undefined && protocol.isResponse(response)) || recognisesStream(protocol, events);
  return byPath + byRequest + (answered ? RESPONSE : 0);
}

/** The first pieces are enough: streams begin with what their protocol is known by. */
const SAMPLED_EVENTS = 8;

function recognisesStream(protocol: Protocol, events: readonly StreamEvent[]): boolean {
  return events.slice(0, SAMPLED_EVENTS).some((event) => protocol.isEvent(event));
}
