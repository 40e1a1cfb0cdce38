import { emptyCall, NEW_REQUEST } from '../../wire/emptyCall';
import type { Interaction, Message } from '../tape';
import type { RecordedInteraction } from '../tapeFormat';

/** An interaction like another, of its kind and to the same model, in which nothing is said yet. Undefined where there is none. */
export function emptyInteraction(like: Interaction): RecordedInteraction | undefined {
  const { kind, http, api, request, timing } = like;
  // Some formats put a date beside everything, and without one some replayers do not read them.
  const when = timing?.recordedAt === undefined ? {} : { timing: { recordedAt: timing.recordedAt } };
  const model = request?.model;
  if (http !== undefined) {
    const exchange = kind === 'http' ? emptyExchange(http) : emptyCall(http, api, model);
    return exchange && { kind, http: exchange, ...when };
  }
  const said = { content: '', toolCalls: [] };
  if (kind === 'tool') return { kind, request: { messages: [calling(like)], tools: [], params: {} }, response: said };
  const asked = { role: 'user', content: NEW_REQUEST, toolCalls: [] };
  return {
    kind: kind === 'embedding' ? kind : 'llm',
    request: { ...(model === undefined ? {} : { model }), messages: [asked], tools: [], params: {} },
    response: said,
    ...when,
  };
}

function emptyExchange({ method, url }: NonNullable<Interaction['http']>): Interaction['http'] {
  const nothing = { type: 'none' } as const;
  return {
    method,
    url,
    requestHeaders: [],
    requestBody: nothing,
    status: 200,
    responseHeaders: [],
    responseBody: nothing,
  };
}

/** A call of the same tool, with nothing. */
function calling({ request }: Interaction): Message {
  const [call] = (request?.messages ?? []).flatMap(({ toolCalls }) => toolCalls);
  return { role: 'assistant', content: null, toolCalls: [{ id: '', name: call?.name ?? '', arguments: {} }] };
}
