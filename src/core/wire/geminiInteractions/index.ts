import { asString, isBlank } from '../../json/fields';
import { isRecord } from '../../json/json';
import { withoutAltSse } from '../gemini/edit';
import { writeGoogleError } from '../gemini/errors';
import type { Protocol } from '../protocol';
import { blankInteractionBodies, interactionStreamTextSites, interactionTextSites } from './edit';
import { readInteractionRequest, readInteractionResponse, stepsOf } from './read';
import { joinInteractionEvents } from './stream';

/** Google's Interactions: a conversation as a list of steps, which the server may keep. */
export const geminiInteractions: Protocol = {
  id: 'gemini-interactions',
  kind: 'llm',
  endpoints: {
    own: [{ below: 'api', paths: ['/interactions'] }],
    others: [{ below: 'api', paths: ['/interactions/{id}', '/interactions/{id}/cancel'] }],
  },
  isRequest: (body) =>
    isRecord(body) && !isBlank(body.input) && ('system_instruction' in body || 'generation_config' in body),
  isResponse: (body) =>
    isRecord(body) && (body.object === 'interaction' || stepsOf(body).some((step) => step.type === 'model_output')),
  isEvent: ({ json }) => typeof json.event_type === 'string' && /^(interaction|step|content)\./.test(json.event_type),
  endsStream: ({ json }) =>
    /^interaction\.(?:complete|completed|failed|cancelled)$/.test(asString(json.event_type) ?? ''),
  members: {
    system: [['system_instruction']],
    newSystem: { path: ['system_instruction'] },
    messages: [['input']],
    tools: [['tools']],
    toolResults: ['result'],
  },
  cache: { isAutomatic: true },
  // Before its steps had types, a call was in the content of a turn.
  callIds: ['', '/content/*'].flatMap((inside) => [`/input/*${inside}/id`, `/input/*${inside}/call_id`]),
  marksToolErrors: true,
  results: ['/input/*/result', '/input/*/content/*/result'],
  // https://ai.google.dev/gemini-api/docs/interactions
  defaults: { '/background': false, '/store': true, '/stream': false },
  readRequest: readInteractionRequest,
  readResponse: readInteractionResponse,
  joinStream: joinInteractionEvents,
  writeError: writeGoogleError,
  textSites: interactionTextSites,
  streamTextSites: () => interactionStreamTextSites,
  blankBodies: blankInteractionBodies,
  unstreamedUrl: withoutAltSse,
};
