import { asRecords, asString, isBlank } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { Protocol } from '../protocol';
import { writeOpenaiError } from '../shared/errors';
import { blankResponsesBodies, responsesStreamTextSites, responsesTextSites } from './edit';
import { readResponsesRequest, readResponsesResponse } from './read';
import { joinResponseEvents } from './stream';

/** OpenAI's Responses, also served by Azure, xAI, DeepSeek, LM Studio and others. */
export const openaiResponses: Protocol = {
  id: 'openai-responses',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'any', paths: ['/responses'] }],
    // A stream may be resumed here. Other names in this place are other endpoints, such as `input_tokens`.
    shared: /\/responses\/resp_[^/]+\/?$/,
    polling: /\/responses\/[^/]+\/?$/,
    others: [
      {
        below: 'api',
        paths: [
          '/responses/{id}',
          '/responses/{id}/cancel',
          '/responses/{id}/input_items',
          '/responses/input_tokens',
          '/responses/compact',
          '/conversations',
          '/conversations/{id}',
          '/conversations/{id}/items',
          '/conversations/{id}/items/{id}',
        ],
      },
    ],
  },
  isRequest,
  isResponse: (body) =>
    isRecord(body) && (body.object === 'response' || (Array.isArray(body.output) && typeof body.status === 'string')),
  isEvent: ({ json }) => typeof json.type === 'string' && json.type.startsWith('response.'),
  endsStream: ({ json }) =>
    /^response\.(?:completed|incomplete|failed|cancelled|done)$/.test(asString(json.type) ?? ''),
  members: {
    system: [['instructions']],
    newSystem: { path: ['instructions'] },
    messages: [['input']],
    tools: [['tools']],
    toolSettings: [['tool_choice'], ['parallel_tool_calls']],
    toolResults: ['output'],
  },
  cache: { parameters: ['text'], isAutomatic: true },
  requestIds: ['user', 'safety_identifier', 'prompt_cache_key', 'conversation', 'previous_response_id'],
  callIds: ['/input/*/call_id'],
  results: ['/input/*/output'],
  // https://platform.openai.com/docs/api-reference/responses/create
  defaults: {
    '/background': false,
    '/parallel_tool_calls': true,
    '/service_tier': 'auto',
    '/store': true,
    '/stream': false,
    '/temperature': 1,
    '/text/format': { type: 'text' },
    '/text/verbosity': 'medium',
    '/tool_choice': 'auto',
    '/top_logprobs': 0,
    '/top_p': 1,
    '/truncation': 'disabled',
  },
  readRequest: readResponsesRequest,
  readResponse: readResponsesResponse,
  joinStream: joinResponseEvents,
  writeError: writeOpenaiError,
  textSites: responsesTextSites,
  streamTextSites: () => responsesStreamTextSites,
  blankBodies: blankResponsesBodies,
};

/** A request for embeddings has an `input` and a model too, so that a member of Responses decides. */
function isRequest(body: Json): boolean {
  if (!isRecord(body) || isBlank(body.input) || 'messages' in body) return false;
  const ownMembers = ['instructions', 'max_output_tokens', 'previous_response_id', 'store', 'stream', 'tools', 'text'];
  return asRecords(body.input).length > 0 || ownMembers.some((key) => key in body);
}
