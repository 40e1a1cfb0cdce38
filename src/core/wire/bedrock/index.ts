import { asRecord, asRecords } from '../../json/fields';
import { isRecord, type Json } from '../../json/json';
import type { Protocol } from '../protocol';
import { blankConverseBodies, converseStreamTextSites, converseTextSites, unstreamedBedrockUrl } from './edit';
import { converseTiming, readConverseRequest, readConverseResponse } from './read';
import { joinConverseEvents } from './stream';

/**
 * Amazon Bedrock's Converse and ConverseStream. Nova also uses it in `invoke`; other models use their own protocol
 * there, such as Anthropic's.
 */
export const bedrockConverse: Protocol = {
  id: 'bedrock-converse',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'any', paths: ['/model/{model}/converse', '/model/{model}/converse-stream'] }],
    shared: /\/model\/.+\/invoke(-with-response-stream)?$/,
    others: [
      {
        below: 'any',
        paths: ['/model/{model}/invoke', '/model/{model}/invoke-with-response-stream', '/model/{model}/count-tokens'],
      },
    ],
    models: [/\/model\/(.+)\/(?:invoke|converse|count-tokens)/d],
  },
  isRequest,
  isResponse: (body) =>
    isRecord(body) && (isRecord(asRecord(body.output).message) || ('stopReason' in body && 'metrics' in body)),
  isEvent: ({ event, json }) => EVENTS.has(event ?? '') || Object.keys(json).some((key) => EVENTS.has(key)),
  endsStream: ({ event, json }) => event === 'messageStop' || 'messageStop' in json || 'stopReason' in json,
  members: {
    system: [['system']],
    newSystem: { path: ['system'], value: (text) => [{ text }] },
    messages: [['messages']],
    tools: [['toolConfig', 'tools']],
    toolSettings: [['toolConfig']],
    toolResults: ['content'],
  },
  callIds: ['/messages/*/content/*/toolUse/toolUseId', '/messages/*/content/*/toolResult/toolUseId'],
  marksToolErrors: true,
  results: ['/messages/*/content/*/toolResult'],
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html
  defaults: {
    '/performanceConfig/latency': 'standard',
    '/serviceTier/type': 'default',
    '/toolConfig/toolChoice': { auto: {} },
  },
  readRequest: readConverseRequest,
  readResponse: readConverseResponse,
  joinStream: joinConverseEvents,
  writeError: ({ message }) => ({
    body: { message },
    // The name of the exception that its SDKs raise.
    headers: { 'x-amzn-errortype': 'ValidationException' },
  }),
  reportedTiming: converseTiming,
  textSites: converseTextSites,
  streamTextSites: () => converseStreamTextSites,
  blankBodies: blankConverseBodies,
  unstreamedUrl: unstreamedBedrockUrl,
};

const EVENTS = new Set(['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop']);

/** Unlike Anthropic's, content blocks have no `type`. */
function isRequest(body: Json): boolean {
  if (!isRecord(body) || !Array.isArray(body.messages)) return false;
  if ('inferenceConfig' in body || 'toolConfig' in body || 'schemaVersion' in body) return true;
  return asRecords(body.messages).some(({ content }) => asRecords(content).some((block) => !('type' in block)));
}
