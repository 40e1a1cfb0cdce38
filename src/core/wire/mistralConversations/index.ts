import { asRecords, asString } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankConversationBodies, conversationStreamTextSites, conversationTextSites } from './edit';
import { readConversationRequest, readConversationResponse } from './read';
import { joinConversationEvents } from './stream';

/** Mistral's Conversations: a conversation as a list of entries, which the server may keep. */
export const mistralConversations: Protocol = {
  id: 'mistral-conversations',
  kind: 'llm',
  endpoints: {
    // OpenAI has other conversations there.
    shared: /\/conversations(\/[^/]+(\/restart)?)?\/?$/,
    others: [
      {
        below: 'api',
        paths: [
          '/conversations',
          '/conversations/{id}',
          '/conversations/{id}/restart',
          '/conversations/{id}/messages',
          '/conversations/{id}/history',
        ],
      },
    ],
  },
  isRequest,
  isResponse: (body) =>
    isRecord(body) &&
    (body.object === 'conversation.response' || ('conversation_id' in body && Array.isArray(body.outputs))),
  isEvent: ({ json }) =>
    /^(conversation\.response|message\.output|function\.call|tool\.execution|agent\.handoff)\./.test(
      asString(json.type) ?? '',
    ),
  endsStream: ({ json }) => json.type === 'conversation.response.done' || json.type === 'conversation.response.error',
  members: {
    system: [['instructions']],
    newSystem: { path: ['instructions'] },
    messages: [['inputs']],
    tools: [['tools']],
    toolSettings: [['completion_args', 'tool_choice']],
    toolResults: ['result'],
  },
  requestIds: ['from_entry_id'],
  callIds: ['/inputs/*/tool_call_id', '/tool_confirmations/*/tool_call_id'],
  results: ['/inputs/*/result'],
  // https://github.com/mistralai/client-python, models/conversationappendrequest.py
  defaults: { '/handoff_execution': 'server', '/store': true, '/stream': false },
  readRequest: readConversationRequest,
  readResponse: readConversationResponse,
  joinStream: joinConversationEvents,
  writeError: ({ message, code }) => ({
    body: { object: 'error', message, type: 'invalid_request_error', param: null, code },
  }),
  textSites: conversationTextSites,
  streamTextSites: () => conversationStreamTextSites,
  blankBodies: blankConversationBodies,
};

const OWN_MEMBERS = ['completion_args', 'from_entry_id', 'handoff_execution', 'tool_confirmations'];
const ENTRY = /^(message|function|tool|agent)\./;

/** Servers of other models take `inputs`, too, with other members beside or in them. */
function isRequest(body: Json): boolean {
  if (!isRecord(body)) return false;
  if (OWN_MEMBERS.some((name) => name in body)) return true;
  const { inputs } = body;
  if (typeof inputs === 'string') return !('parameters' in body || 'options' in body);
  return asRecords(inputs).some((entry) => 'role' in entry || ENTRY.test(asString(entry.type) ?? ''));
}
