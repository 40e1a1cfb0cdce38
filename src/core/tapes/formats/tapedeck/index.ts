import { asRecord, asRecords, omitUndefined } from '../../../json/fields';
import { compactJson, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { exactValue, member, readJson } from '../../../json/readJson';
import type { HttpBody } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { applySplices, type Splice } from '../../../text/splice';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { parseToolArguments } from '../../../wire/shared/toolCalls';
import type { DependentEdits, Destination, EditOutcome, ListEdit, TapeFormat, TapeResponseEdit } from '../../format';
import { reorderInteractions } from '../../interactionList/listEdits';
import { interactionProblems, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { editExchange, lengthOf } from '../shared/editExchange';
import { refuseUnencodable } from '../shared/editHttpTape';
import { frameLines, type LineField, writeLine } from './body';
import { entryExchange, type ResponseLines, readTapedeck, type TapedeckEntry, tapedeckInteraction } from './read';
import { standaloneTape } from './standalone';
import { responseFields, TapedeckWriter, tapedeckHeader } from './write';

/**
 * Tapedeck's own tapes: a line of JSON for each request, response and piece of a stream, in which nothing is repeated.
 * See `README.md` beside this file.
 */
export const tapedeckFormat = {
  id: 'tapedeck',
  label: 'Tapedeck tape',
  family: 'http',
  extensions: ['jsonl', 'ndjson'],
  ownEndings: ['tape.jsonl'],
  syntax: 'json',
  looksLike: (file) => /^\s*\{[^\n{]*"tapedeck"\s*:\s*"tape"/.test(textParts(file).slice(0, 256)),
  read,
  serialise,
  editList: (file, edit) => editTapedeckList(file, read(file), edit),
  editText: (file, edit) => refuseUnencodable(file, editEntry(file, edit)),
  editValue: (file, edit) => refuseUnencodable(file, editEntry(file, edit)),
  newFileName: { ofCases: /\.jsonl$/i, ofAgents: /\.jsonl$/i },
  keepsBrokenResponses: true,
  followingEdits: followLengths,
  standalone: ({ text }) => standaloneTape(text),
} satisfies TapeFormat;

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { name, test, version, entries, problems, weight } = readTapedeck(text);
  const budget = new BodyBudget(text.length);
  const interactions = entries.map((entry, index) => tapedeckInteraction(entry, index, budget));
  return new LazyTape(
    omitUndefined({ format: 'tapedeck' as const, name, test, version, interactions, weight }),
    () => [...problems, ...interactionProblems(interactions)],
    () => problems,
  );
}

function serialise(name: string, interactions: readonly RecordedInteraction[], into?: Destination): string {
  const writer = new TapedeckWriter();
  return tapedeckHeader(name, into?.test) + interactions.map((interaction) => writer.write(interaction)).join('');
}

/** Writes the lines of the response again; nothing else refers to them. */
function editEntry({ text }: TapeFile, edit: TapeResponseEdit): EditOutcome {
  const entry = readTapedeck(text).entries[edit.interaction];
  if (entry?.response === undefined)
    return { refused: t('The tape has no response {0} that could be changed.', edit.interaction + 1) };
  const { source } = entry.response;
  const exchange = entryExchange(entry);
  if (exchange === undefined) return editChat(entry.number, entry.response, edit);
  const outcome = editExchange(exchange, edit);
  if ('refused' in outcome) return outcome;
  const lines = writeLine([...responseHead(entry.number, entry.response), ...responseFields(outcome.exchange)]);
  const frames = frameLines(outcome.exchange.responseBody);
  return { splices: [{ ...source, text: (lines + frames).trimEnd() }], dependents: outcome.dependents };
}

/** The members of a response line before the body. */
function responseHead(number: number, { fields }: ResponseLines): LineField[] {
  const kept = ['ms', 'first_ms'].flatMap((name) => {
    const value = member(fields, name);
    return value === undefined ? [] : [[name, compactJson(exactValue(value))] as const];
  });
  return [['response', `${number}`], ...kept];
}

/** Edits a response that was recorded without HTTP. */
function editChat(number: number, response: ResponseLines, edit: TapeResponseEdit): EditOutcome {
  const chat = member(response.fields, 'chat');
  const edited = chat && editedChat(asRecord(exactValue(chat)), edit);
  if (edited === undefined)
    return { refused: t('This response was recorded without HTTP. Change it in the text editor.') };
  const chatJson = compactJson(edited);
  const { source } = response;
  return {
    splices: [{ ...source, text: writeLine([...responseHead(number, response), ['chat', chatJson]]).trimEnd() }],
    dependents: [],
  };
}

function editedChat(chat: JsonRecord, edit: TapeResponseEdit): JsonRecord | undefined {
  if (edit.type === 'response-text') return { ...chat, content: edit.text };
  if (edit.type !== 'arguments') return undefined;
  const toolCalls = asRecords(chat.toolCalls).map((call, index) =>
    index === edit.call
      ? {
          ...call,
          arguments: parseToolArguments(edit.json),
          ...(call.argumentsText !== undefined && { argumentsText: edit.json }),
        }
      : call,
  );
  return { ...chat, toolCalls };
}

/**
 * Changes the list of interactions. The first request with a message stores it, and later ones refer to that request;
 * if it is removed or moved, the next one has to store the message. So the tape is written again, with equal lines
 * unchanged.
 */
function editTapedeckList({ text }: TapeFile, { name = '', test, interactions }: Tape, edit: ListEdit): EditOutcome {
  const target = edit.interaction + (edit.type === 'move' ? edit.by : 0);
  if (interactions[target] === undefined) return { refused: t('There is no other interaction to swap this one with.') };
  const write = (list: readonly RecordedInteraction[]): string => serialise(name, list, { path: '', test });
  if (write(interactions) !== text)
    return {
      refused: t('This tape does not have the layout that Tapedeck writes. Change the order in the text editor.'),
    };
  return { splices: [difference(text, write(reorderInteractions(interactions, edit)))], dependents: [] };
}

/** The single splice between two texts, in whole lines. */
function difference(before: string, after: string): { start: number; end: number; text: string } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  start = before.lastIndexOf('\n', start - 1) + 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - start;
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const line = before.indexOf('\n', before.length - tail);
  const end = tail === 0 || line === -1 ? before.length : line + 1;
  return { start, end, text: after.slice(start, after.length - (before.length - end)) };
}

/** Corrects the `content-length` of bodies that changed, where it was right before. */
function followLengths({ text }: TapeFile, changes: readonly Splice[]): DependentEdits {
  const after = readTapedeck(applySplices(text, changes)).entries;
  const splices = readTapedeck(text).entries.flatMap((entry, index) => {
    const other = after[index];
    return other === undefined ? [] : lengthSplices(text, entry, other);
  });
  return { splices, dependents: splices.length === 0 ? [] : ['content-length'] };
}

function lengthSplices(text: string, entry: TapedeckEntry, other: TapedeckEntry): readonly Splice[] {
  const [before, after] = [entryExchange(entry), entryExchange(other)];
  if (before === undefined || after === undefined) return [];
  const { source, response } = entry;
  const request = readJson(text.slice(source.start, source.end)).value;
  return [
    ...headerSplices(request, source.start, before.requestBody, after.requestBody),
    ...headerSplices(response?.fields, response?.source.start ?? 0, before.responseBody, after.responseBody),
  ];
}

/** `start` is where the line begins. */
function headerSplices(
  line: JsonNode | undefined,
  start: number,
  before: HttpBody,
  after: HttpBody,
): readonly Splice[] {
  const headers = member(line, 'headers');
  if (headers?.type !== 'array') return [];
  const [was, is] = [lengthOf(before), lengthOf(after)];
  return headers.items.flatMap((header): readonly Splice[] => {
    const [name, value] = header.type === 'array' ? header.items : [];
    const isLength = name?.type === 'string' && name.value.toLowerCase() === 'content-length';
    if (!isLength || value?.type !== 'string' || value.value !== was || was === is) return [];
    return [{ start: start + value.start, end: start + value.end, text: JSON.stringify(is) }];
  });
}
