import { asRecords, isBlank } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankResponsesBodies, responsesStreamTextSites, responsesTextSites } from './edit';
import { readResponsesRequest, readResponsesResponse } from './read';
import { joinResponseEvents } from './stream';

/** OpenAI's Responses, which Azure, xAI, DeepSeek, LM Studio and others speak as well. */
export const openaiResponses: Protocol = {
  id: 'openai-responses',
  kind: 'llm',
  path: /\/responses\/?$/,
  // From there a stream goes on as well; at other names beside it, tokens are counted.
  sharedPath: /\/responses\/resp_[^/]+\/?$/,
  pollingPath: /\/responses\/[^/]+\/?$/,
  isRequest,
  isResponse: (body) =>
    isRecord(body) && (body.object === 'response' || (Array.isArray(body.output) && typeof body.status === 'string')),
  isEvent: ({ json }) => typeof json.type === 'string' && json.type.startsWith('response.'),
  readRequest: readResponsesRequest,
  readResponse: readResponsesResponse,
  joinStream: joinResponseEvents,
  textSites: responsesTextSites,
  streamTextSites: () => responsesStreamTextSites,
  blankBodies: blankResponsesBodies,
};

/** Requests for embeddings have an `input` and a model too. */
function isRequest(body: Json): boolean {
  if (!isRecord(body) || isBlank(body.input) || 'messages' in body) return false;
  const telling = ['instructions', 'max_output_tokens', 'previous_response_id', 'store', 'stream', 'tools', 'text'];
  return asRecords(body.input).length > 0 || telling.some((key) => key in body);
}
