import { asRecord, asString } from '../../json/fields';
import { isRecord, type JsonRecord } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankCohereBodies, cohereStreamTextSites, cohereTextSites } from './edit';
import { readCohereV2Request, readCohereV2Response } from './read';
import { isCohereV1Request, isCohereV1Response, readCohereV1Request, readCohereV1Response } from './readV1';
import { joinCohereEvents } from './stream';

/** Cohere's Chat, version 2, and version 1, which has different bodies. */
export const cohere: Protocol = {
  id: 'cohere',
  kind: 'llm',
  // The version belongs to the path, since it changes the bodies.
  endpoints: {
    own: [{ below: 'any', paths: ['/v2/chat'] }],
    shared: /\/chat\/?$|\/model\/.+\/invoke(-with-response-stream)?$/,
    others: [
      {
        below: 'any',
        paths: ['/v1/chat', '/v1/generate', '/v1/rerank', '/v2/rerank', '/v1/classify', '/v1/tokenize'],
      },
    ],
  },
  isRequest: (body) => isRecord(body) && isCohereV1Request(body),
  isResponse: (body) => isRecord(body) && (isCohereV1Response(body) || isV2Response(body)),
  isEvent: ({ json }) => EVENTS.test(asString(json.type) ?? asString(json.event_type) ?? ''),
  endsStream: ({ json }) => json.type === 'message-end' || json.event_type === 'stream-end',
  members: {
    system: [['preamble']],
    newSystem: { path: ['preamble'] },
    hasSystemMessages: true,
    messages: [['messages'], ['chat_history'], ['message']],
    tools: [['tools']],
    toolSettings: [['tool_choice']],
    toolResults: ['content', 'outputs'],
  },
  callIds: ['/messages/*/tool_calls/*/id', '/messages/*/tool_call_id'],
  results: ['/messages/*/tool_call_id', '/tool_results/*/call'],
  // https://docs.cohere.com/reference/chat
  defaults: {
    '/frequency_penalty': 0,
    '/k': 0,
    '/logprobs': false,
    '/p': 0.75,
    '/presence_penalty': 0,
    '/response_format': { type: 'text' },
    '/safety_mode': 'CONTEXTUAL',
    '/stream': false,
    '/strict_tools': false,
    '/temperature': 0.3,
  },
  readRequest: (body) => (isCohereV1Request(body) ? readCohereV1Request(body) : readCohereV2Request(body)),
  readResponse: (body) =>
    isCohereV1Response(asRecord(body)) ? readCohereV1Response(asRecord(body)) : readCohereV2Response(asRecord(body)),
  joinStream: joinCohereEvents,
  writeError: ({ message }) => ({ body: { message } }),
  textSites: cohereTextSites,
  streamTextSites: () => cohereStreamTextSites,
  blankBodies: blankCohereBodies,
};

const EVENTS =
  /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end)|stream-(start|end)|text-generation|tool-calls-(generation|chunk)|search-(queries-generation|results)|citation-generation)$/;

/** Unlike Chat Completions, a response has one message, outside any list. */
function isV2Response({ message, finish_reason: reason }: JsonRecord): boolean {
  return isRecord(message) && typeof reason === 'string' && ('content' in message || 'tool_calls' in message);
}
