import type { Json } from '../json/json';
import { anthropicMessages } from './anthropic';
import { bedrockConverse } from './bedrock';
import { cohere } from './cohere';
import { embeddings } from './embeddings';
import { gemini } from './gemini';
import { geminiInteractions } from './geminiInteractions';
import { ollama } from './ollama';
import { openaiAssistants } from './openaiAssistants';
import { openaiChat } from './openaiChat';
import { openaiResponses } from './openaiResponses';
import { isUnderstood } from './readAnswer';
import { textGeneration } from './textGeneration';
import type { WireApi } from './wireApi';
import type { StreamEvent, WireProtocol } from './wireProtocol';

/** The more particular a protocol, the earlier it is asked. */
const PROTOCOLS: readonly WireProtocol[] = [
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
export function protocolOf(api: WireApi | undefined): WireProtocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.api === api);
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
export function detectFetched(path: string, response: Json | undefined): WireProtocol | undefined {
  if (response === undefined) return undefined;
  return PROTOCOLS.find(
    ({ fetched, isResponse, readResponse }) =>
      fetched?.test(path) && isResponse(response) && isUnderstood(readResponse(response)),
  );
}

/** The path alone will do, two signs of the bodies overrule it, and one does not make a protocol. */
const SURE_PATH = 6;
const ANSWER = 4;
const REQUEST = 3;
const MAYBE_PATH = 2;
const ENOUGH = 5;

/** The protocol of an exchange: by its address and by what its bodies look like. */
export function detectProtocol(evidence: Evidence): WireProtocol | undefined {
  const enough = evidence.path === undefined ? ANSWER : ENOUGH;
  let best: { readonly protocol: WireProtocol; readonly score: number } | undefined;
  for (const protocol of PROTOCOLS) {
    const score = scoreOf(protocol, evidence);
    if (score >= enough && score > (best?.score ?? 0)) best = { protocol, score };
  }
  return best?.protocol;
}

function scoreOf(protocol: WireProtocol, { path = '', request, response, events }: Evidence): number {
  const { path: sure, maybePath } = protocol;
  const byPath = sure.test(path) ? SURE_PATH : maybePath?.test(path) ? MAYBE_PATH : 0;
  const byRequest = request !== undefined && protocol.isRequest(request) ? REQUEST : 0;
  const answered = (response !== undefined && protocol.isResponse(response)) || isStream(protocol, events);
  return byPath + byRequest + (answered ? ANSWER : 0);
}

/** The first pieces are enough: streams begin with what their protocol is known by. */
const LOOKED_AT = 8;

function isStream(protocol: WireProtocol, events: readonly StreamEvent[]): boolean {
  return events.slice(0, LOOKED_AT).some((event) => protocol.isEvent(event));
}
