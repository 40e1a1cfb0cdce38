import { jsonValue, member } from '../../json/jsonDocument';
import { utf8Length } from '../../text/utf8';
import { decodeBody } from '../../wire/body';
import { compactJson } from '../../wire/compactJson';
import { editAnswer } from '../../wire/editAnswer';
import { present, recordOf } from '../../wire/fields';
import { LazyTape, problemsIn } from '../lazyTape';
import type { HttpExchange, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { AnswerEdit, EditOutcome, RecordedInteraction, TapeFormat } from '../tapeFormat';
import { httpEdits } from './httpEdits';
import { ifItFits } from './jsonHttpEdit';
import { type Field, line } from './tapedeckBody';
import { frameLines } from './tapedeckFrames';
import { editTapedeckList } from './tapedeckList';
import { type Answer, exchangeOf, readTapedeck, tapedeckInteraction } from './tapedeckRead';
import { answerFields, TapedeckWriter, tapedeckHeader } from './tapedeckWrite';

/**
 * Tapedeck's own tapes: a line of JSON for each request, response and piece of a stream, in which nothing that was said
 * before is said again. See `tapedeck.md` beside this file.
 */
export const tapedeckFormat = {
  id: 'tapedeck',
  label: 'Tapedeck tape',
  syntax: 'json',
  looksLike: ({ text }) => /^\s*\{[^\n{]*"tapedeck"\s*:\s*"tape"/.test(text.slice(0, 256)),
  read,
  serialise,
  editList: (file, edit) => editTapedeckList(file, read(file), edit, serialise),
  ...httpEdits((file, edit) => ifItFits(file, editEntry(file, edit))),
} satisfies TapeFormat;

function read({ text }: TapeFile): Tape {
  const { name, version, entries, problems, weight } = readTapedeck(text);
  const interactions = entries.map(tapedeckInteraction);
  return new LazyTape(present({ format: 'tapedeck' as const, name, version, interactions, weight }), () => [
    ...problems,
    ...problemsIn(interactions),
  ]);
}

function serialise(name: string, interactions: readonly RecordedInteraction[]): string {
  const writer = new TapedeckWriter();
  return tapedeckHeader(name) + interactions.map((interaction) => writer.write(interaction)).join('');
}

/** The lines of the answer are written anew; nothing else refers to them. */
function editEntry({ text }: TapeFile, edit: AnswerEdit): EditOutcome {
  const entry = readTapedeck(text).entries[edit.interaction];
  if (entry?.answer === undefined)
    return { refused: `The tape has no answer ${edit.interaction + 1} that could be changed.` };
  const { source } = entry.answer;
  const exchange = exchangeOf(entry);
  if (exchange === undefined) return editChat(entry.number, entry.answer, edit);
  const outcome = edited(exchange, edit);
  if ('refused' in outcome) return outcome;
  const lines = line([...headOf(entry.number, entry.answer), ...answerFields(outcome.exchange)]);
  const frames = frameLines(outcome.exchange.responseBody);
  return { splices: [{ ...source, text: (lines + frames).trimEnd() }], dependents: outcome.dependents };
}

/** What a response line says before the answer. */
function headOf(number: number, { fields }: Answer): Field[] {
  const kept = ['ms', 'first_ms'].flatMap((name) => {
    const value = member(fields, name);
    return value === undefined ? [] : [[name, compactJson(jsonValue(value))] as const];
  });
  return [['response', `${number}`], ...kept];
}

/** An answer of which the text is known, and not what went over the wire. */
function editChat(number: number, answer: Answer, edit: AnswerEdit): EditOutcome {
  const chat = member(answer.fields, 'chat');
  if (edit.type !== 'response-text' || chat === undefined)
    return { refused: 'This answer was recorded without HTTP: change it in the text editor.' };
  const said = compactJson({ ...recordOf(jsonValue(chat)), content: edit.text });
  const { source } = answer;
  return {
    splices: [{ ...source, text: line([...headOf(number, answer), ['chat', said]]).trimEnd() }],
    dependents: [],
  };
}

interface Edited {
  readonly exchange: HttpExchange;
  readonly dependents: readonly string[];
}

function edited(exchange: HttpExchange, edit: AnswerEdit): Edited | { readonly refused: string } {
  if (edit.type === 'status') return { exchange: { ...exchange, status: edit.status }, dependents: [] };
  const outcome = editAnswer(exchange, edit);
  if ('refused' in outcome) return outcome;
  const { exchange: after, changed } = withLength({ ...exchange, responseBody: outcome.body }, exchange);
  return { exchange: after, dependents: [...outcome.dependents, ...(changed ? ['content-length'] : [])] };
}

/** A `content-length` that was right stays right. */
function withLength(
  after: HttpExchange,
  before: HttpExchange,
): { readonly exchange: HttpExchange; readonly changed: boolean } {
  const [was, is] = [lengthOf(before), lengthOf(after)];
  let changed = false;
  const responseHeaders = after.responseHeaders.map(([name, value]) => {
    if (name.toLowerCase() !== 'content-length' || value !== was || was === is) return [name, value] as const;
    changed = true;
    return [name, is] as const;
  });
  return { exchange: { ...after, responseHeaders }, changed };
}

function lengthOf({ responseBody: body }: HttpExchange): string {
  return `${body.type === 'text' ? utf8Length(body.text) : decodeBody(body).bytes.length}`;
}
