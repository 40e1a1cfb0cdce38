import { jsonValue, member } from '../../json/jsonDocument';
import { utf8Length } from '../../text/utf8';
import { decodeBody } from '../../wire/body';
import { compactJson } from '../../wire/compactJson';
import { editResponseText } from '../../wire/editResponseText';
import { present, recordOf } from '../../wire/fields';
import type { HttpExchange, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, RecordedInteraction, TapeEdit, TapeFormat } from '../tapeFormat';
import { ifItFits } from './jsonHttpEdit';
import { type Field, line } from './tapedeckBody';
import { frameLines } from './tapedeckFrames';
import { exchangeOf, readTapedeck, tapedeckInteraction } from './tapedeckRead';
import { answerFields, TapedeckWriter, tapedeckHeader } from './tapedeckWrite';

/**
 * Tapedeck's own tapes: a line of JSON for each request, response and piece of a stream, in which nothing that was said
 * before is said again. See `tapedeck.md` beside this file.
 */
export const tapedeckFormat = {
  id: 'tapedeck',
  label: 'Tapedeck tape',
  looksLike: ({ text }) => /^\s*\{\s*"tapedeck"\s*:\s*"tape"/.test(text.slice(0, 256)),
  read,
  serialise,
  edit: (file, edit) => ifItFits(file, editAnswer(file, edit)),
} satisfies TapeFormat;

function read({ text }: TapeFile): Tape {
  const { name, version, entries, problems } = readTapedeck(text);
  return present({
    format: 'tapedeck' as const,
    name,
    version,
    interactions: entries.map(tapedeckInteraction),
    problems,
  });
}

function serialise(name: string, interactions: readonly RecordedInteraction[]): string {
  const writer = new TapedeckWriter();
  return tapedeckHeader(name) + interactions.map((interaction) => writer.write(interaction)).join('');
}

/** The lines of the answer are written anew; nothing else refers to them. */
function editAnswer({ text }: TapeFile, { interaction, text: answer }: TapeEdit): EditOutcome {
  const entry = readTapedeck(text).entries[interaction];
  if (entry?.answer === undefined)
    return { refused: `The tape has no answer ${interaction + 1} that could be changed.` };
  const { source, fields } = entry.answer;
  const exchange = exchangeOf(entry);
  const kept = (name: string): Field[] => {
    const value = member(fields, name);
    return value === undefined ? [] : [[name, compactJson(jsonValue(value))]];
  };
  const head: Field[] = [['response', `${entry.number}`], ...kept('ms'), ...kept('first_ms')];
  if (exchange === undefined) {
    const chat = member(fields, 'chat');
    const said = { ...(chat && recordOf(jsonValue(chat))), content: answer };
    return { splices: [{ ...source, text: line([...head, ['chat', compactJson(said)]]).trimEnd() }], dependents: [] };
  }
  const outcome = editResponseText(exchange, answer);
  if ('refused' in outcome) return outcome;
  const edited = withLength({ ...exchange, responseBody: outcome.body }, exchange);
  const lines = line([...head, ...answerFields(edited.exchange)]) + frameLines(edited.exchange.responseBody);
  return {
    splices: [{ ...source, text: lines.trimEnd() }],
    dependents: [...outcome.dependents, ...(edited.changed ? ['content-length'] : [])],
  };
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
