import { jsonValue } from '../../json/readJson';
import type { Interaction, RecordedInteraction } from '../../model/interaction';
import type { Message } from '../../model/message';
import { blankExchange } from '../../wire/edit/blankExchange';
import { NEW_REQUEST_TEXT } from '../../wire/protocol';
import type { TapeFormat } from '../format';
import { type TapeFile, tapeFileFromText } from '../tapeFile';
import { type InteractionList, interactionList } from './interactionList';
import { itemTextIn, type ListItem } from './itemText';

/**
 * An interaction of the same kind and model as another, without content. Undefined for kinds that have
 * none.
 */
export function emptyInteraction(like: Interaction): RecordedInteraction | undefined {
  const { kind, http, api, request, timing } = like;
  // Some formats have a date in every entry, and some replayers cannot read entries without one.
  const when = timing?.recordedAt === undefined ? {} : { timing: { recordedAt: timing.recordedAt } };
  const model = request?.model;
  if (http !== undefined) {
    const exchange = kind === 'http' ? emptyHttpExchange(http) : blankExchange(http, api, model);
    return exchange && { kind, http: exchange, ...when };
  }
  const said = { content: '', toolCalls: [] };
  if (kind === 'tool')
    return { kind, request: { messages: [emptyToolCall(like)], tools: [], params: {} }, response: said };
  const asked = { role: 'user', content: NEW_REQUEST_TEXT, toolCalls: [] };
  return {
    kind: kind === 'embedding' ? kind : 'llm',
    request: { model, messages: [asked], tools: [], params: {} },
    response: said,
    ...when,
  };
}

function emptyHttpExchange({ method, url }: NonNullable<Interaction['http']>): Interaction['http'] {
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

/** A call of the same tool without arguments. */
function emptyToolCall({ request }: Interaction): Message {
  const [call] = (request?.messages ?? []).flatMap(({ toolCalls }) => toolCalls);
  return { role: 'assistant', content: null, toolCalls: [{ id: '', name: call?.name ?? '', arguments: {} }] };
}

/**
 * The text of an empty interaction for the list that another one is in, in the same layout; undefined if the format
 * has none.
 */
export function emptyItemText(
  format: TapeFormat,
  file: TapeFile,
  list: InteractionList,
  like: Interaction,
): string | undefined {
  const item = createEmptyItem(format, file, like);
  if (item === undefined) return undefined;
  const own = list.blocks.find(({ start, end }) => start <= like.source.start && end > like.source.start);
  const ownText = own === undefined ? '' : file.text.slice(own.start, own.end);
  return itemTextIn(list, item, ownText);
}

function createEmptyItem(format: TapeFormat, file: TapeFile, like: Interaction): ListItem | undefined {
  if (format.emptyItem !== undefined) {
    const value = format.emptyItem(file, like.index);
    return value === undefined ? undefined : { value };
  }
  const empty = emptyInteraction(like);
  const into = { path: file.path, replaces: file.text };
  const text = empty && format.serialise?.('', [empty], into);
  if (text === undefined) return undefined;
  const written = format.read(tapeFileFromText(text));
  const last = written.interactions.length - 1;
  const list = interactionList(text, written, last, format);
  const block = list?.blocks.at(-1);
  const node = list?.nodes.at(-1);
  if (block === undefined) return undefined;
  return { text: text.slice(block.start, block.end), ...(node === undefined ? {} : { value: jsonValue(node) }) };
}
