import { asRecord, asString, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse } from '../../model/message';
import { blankGeminiBodies, geminiStreamTextSites, geminiTextSites, unstreamedGeminiUrl } from '../gemini/edit';
import { writeGoogleError } from '../gemini/errors';
import { gemini } from '../gemini/index';
import { geminiCallIds, geminiDefaults, geminiMembers, geminiResults } from '../gemini/requestMembers';
import { joinCandidates } from '../gemini/stream';
import type { BlankBodies, Protocol, StreamEvent, StreamSiteReader, TextSite } from '../protocol';
import { responseError } from '../shared/errors';
import { nestSites } from '../shared/textSites';

/** The `v1internal:` API of Gemini Code Assist, which Gemini CLI calls: Gemini's bodies, each inside a wrapper. */
export const geminiCodeAssist: Protocol = {
  id: 'gemini-code-assist',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'any', paths: ['/v1internal:generateContent', '/v1internal:streamGenerateContent'] }],
  },
  isRequest: (body) => isRecord(body) && isRecord(body.request) && gemini.isRequest(body.request),
  isResponse: (body) => gemini.isResponse(unwrap(body)),
  isEvent: (event) => gemini.isEvent(unwrapEvent(event)),
  endsStream: (event) => gemini.endsStream?.(unwrapEvent(event)) === true,
  members: geminiMembers('request'),
  cache: { isAutomatic: true },
  callIds: geminiCallIds('/request'),
  marksToolErrors: true,
  results: geminiResults('/request'),
  defaults: geminiDefaults('/request'),
  readRequest,
  readResponse,
  joinStream,
  writeError: writeGoogleError,
  textSites,
  streamTextSites,
  blankBodies,
  unstreamedUrl: unstreamedGeminiUrl,
};

/** The response in a wrapper; empty if there is none, as in a frame that reports only credits. */
function unwrap(body: Json): JsonRecord {
  return asRecord(asRecord(body).response);
}

function unwrapEvent(event: StreamEvent): StreamEvent {
  return { ...event, json: unwrap(event.json) };
}

/** The members beside the request, such as `project` and `user_prompt_id`, are parameters. */
function readRequest(body: JsonRecord): ChatRequest {
  const request = gemini.readRequest(asRecord(body.request));
  return omitUndefined({
    ...request,
    model: asString(body.model) ?? request.model,
    params: { ...omitKeys(body, 'model', 'request'), ...request.params },
  });
}

function readResponse(body: Json): ChatResponse {
  const response = gemini.readResponse(unwrap(body));
  return omitUndefined({ ...response, error: response.error ?? responseError(body) });
}

function joinStream(events: readonly StreamEvent[]): JsonRecord {
  const wrapper = Object.fromEntries(events.flatMap(({ json }) => Object.entries(json)));
  return { ...wrapper, response: joinCandidates(events.map(unwrapEvent)) };
}

function textSites(response: Json): TextSite[] {
  return nestSites(['response'], geminiTextSites(unwrap(response)));
}

function streamTextSites(): StreamSiteReader {
  const read = geminiStreamTextSites();
  return (event, frame) => nestSites(['response'], read(unwrapEvent(event), frame));
}

function blankBodies(model: JsonRecord): BlankBodies {
  const { request, response } = blankGeminiBodies();
  return { request: { ...model, request }, response: { response } };
}
