import { asRecords, asString } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { Protocol } from '../protocol';
import { anthropicStreamTextSites, anthropicTextSites, blankAnthropicBodies } from './edit';
import { readAnthropicRequest, readAnthropicResponse } from './read';
import { joinMessageEvents } from './stream';

/** Anthropic's Messages, also served by Vertex (`rawPredict`), Bedrock (`invoke`) and gateways. */
export const anthropicMessages: Protocol = {
  id: 'anthropic-messages',
  kind: 'llm',
  endpoints: {
    own: [
      { below: 'api', paths: ['/messages'] },
      {
        below: 'any',
        paths: [
          '/publishers/anthropic/models/{model}:rawPredict',
          '/publishers/anthropic/models/{model}:streamRawPredict',
        ],
      },
    ],
    shared: /(?<!\/threads\/[^/]+)\/messages\/?$|\/model\/.+\/invoke(-with-response-stream)?$|:(stream)?rawpredict$/i,
    others: [
      {
        below: 'api',
        paths: [
          '/messages/count_tokens',
          '/messages/batches',
          '/messages/batches/{id}',
          '/messages/batches/{id}/cancel',
          '/messages/batches/{id}/results',
        ],
      },
    ],
  },
  isRequest,
  isResponse: (body) =>
    isRecord(body) && Array.isArray(body.content) && (body.type === 'message' || 'stop_reason' in body),
  isEvent: ({ json }) => EVENTS.has(asString(json.type) ?? ''),
  endsStream: ({ json }) => json.type === 'message_stop',
  members: {
    system: [['system']],
    newSystem: { path: ['system'] },
    messages: [['messages']],
    tools: [['tools']],
    toolSettings: [['tool_choice']],
    toolResults: ['content'],
  },
  cache: { parameters: ['tool_choice', 'thinking'], markers: ['cache_control'] },
  callIds: ['/messages/*/content/*/id', '/messages/*/content/*/tool_use_id'],
  marksToolErrors: true,
  results: ['/messages/*/content/*/tool_use_id'],
  // https://docs.anthropic.com/en/api/messages
  defaults: {
    '/service_tier': 'auto',
    '/stream': false,
    '/temperature': 1,
    '/tool_choice/disable_parallel_tool_use': false,
    '/tool_choice': { type: 'auto' },
  },
  readRequest: readAnthropicRequest,
  readResponse: readAnthropicResponse,
  joinStream: joinMessageEvents,
  writeError: ({ message, code }) => ({
    body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: code },
  }),
  textSites: anthropicTextSites,
  streamTextSites: () => anthropicStreamTextSites,
  blankBodies: blankAnthropicBodies,
};

const EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

function isRequest(body: Json): boolean {
  if (!isRecord(body) || !Array.isArray(body.messages)) return false;
  if ('anthropic_version' in body || 'stop_sequences' in body || 'thinking' in body) return true;
  return 'max_tokens' in body && ('system' in body || asRecords(body.tools).some((tool) => 'input_schema' in tool));
}
