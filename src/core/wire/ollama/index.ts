import { isRecord, type JsonRecord } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankOllamaBodies, ollamaStreamTextSites, ollamaTextSites } from './edit';
import { ollamaTiming, readOllamaRequest, readOllamaResponse } from './read';
import { joinOllamaLines } from './stream';

/** Ollama's own protocol: `/api/chat` and `/api/generate`. */
export const ollama: Protocol = {
  id: 'ollama',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'any', paths: ['/api/chat', '/api/generate'] }],
    others: [{ below: 'any', paths: ['/api/tags', '/api/show', '/api/ps', '/api/version', '/api/pull'] }],
  },
  isRequest: (body) =>
    isRecord(body) && ('keep_alive' in body || ('options' in body && ('messages' in body || 'prompt' in body))),
  isResponse: (body) => isRecord(body) && body.done === true && isOllamaResponse(body),
  isEvent: ({ json }) => isOllamaResponse(json),
  endsStream: ({ json }) => json.done === true,
  members: {
    system: [['system']],
    newSystem: { path: ['system'] },
    hasSystemMessages: true,
    messages: [['messages'], ['prompt']],
    tools: [['tools']],
    toolResults: ['content'],
  },
  callIds: ['/messages/*/tool_calls/*/id', '/messages/*/tool_call_id'],
  results: ['/messages/*/tool_call_id', '/messages/*/tool_name'],
  // https://docs.ollama.com/api/generate; a stream is the default here.
  defaults: { '/keep_alive': '5m', '/logprobs': false, '/raw': false, '/stream': true },
  readRequest: readOllamaRequest,
  readResponse: readOllamaResponse,
  joinStream: joinOllamaLines,
  writeError: ({ message }) => ({ body: { error: message } }),
  reportedTiming: ollamaTiming,
  textSites: ollamaTextSites,
  streamTextSites: () => ollamaStreamTextSites,
  blankBodies: blankOllamaBodies,
};

function isOllamaResponse({ done, message, response }: JsonRecord): boolean {
  return typeof done === 'boolean' && (isRecord(message) || typeof response === 'string');
}
