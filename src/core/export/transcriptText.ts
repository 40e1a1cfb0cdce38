import type { Usage } from '../model/usage';
import { formatDollars } from '../prices/formatDollars';
import { PRICES_DATE } from '../prices/pricesDate';
import type { PriceTable } from '../prices/priceTable';
import type { TapeFile } from '../tapes/tapeFile';
import { counted, grouped, plural } from '../text/counts';
import { escapeInvisible, indentLines } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { formatProblem, LineIndex } from '../text/source';
import type { TextStyle } from '../text/textStyle';
import type { DescribedChange } from '../transcript/describeSilentChange';
import type { MessageExtra } from '../transcript/messageExtras';
import { roleName } from '../transcript/roleName';
import type { InteractionSummary } from '../transcript/summary';
import type { InteractionBody, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import { openTranscript, type TranscriptReader } from '../transcript/transcriptReader';

interface TextOptions {
  readonly ink: TextStyle;
  readonly prices?: PriceTable | undefined;
  /** What is shown of a recorded text. By default all of it. */
  readonly shown?: (text: string) => string;
}

/**
 * A tape as a conversation in plain text, piece by piece: its facts and problems, and its interactions. Throws if the file is
 * not a tape.
 */
export function* transcriptTexts(path: string, file: TapeFile, { ink, prices, shown }: TextOptions): Generator<string> {
  const reader = openTranscript(file, prices);
  if (reader === undefined) throw new Error(`${path} is not a tape`);
  while (reader.advance());
  yield `${head(reader, ink)}\n`;
  const lines = new LineIndex(file.text);
  for (const problem of reader.problems) yield `${ink.yellow(formatProblem(path, lines, problem))}\n`;
  for (let index = 0; index < reader.length; index += 1) {
    const body = reader.body(index);
    if (body !== undefined) yield `${section(body, reader, ink, shown)}\n`;
  }
}

/** In UTF-16 units: what of a single text, and of a whole transcript, an editor shows without effort. */
const SHOWN_TEXT = 2 ** 20;
const SHOWN_TRANSCRIPT = 10_000_000;

/** The transcript as far as an editor shows it, with a last line that says what is left out. */
export function editorTranscript(path: string, file: TapeFile, options: TextOptions): string {
  const pieces: string[] = [];
  let length = 0;
  for (const piece of transcriptTexts(path, file, { ...options, shown: beginningOf })) {
    pieces.push(piece);
    length += piece.length;
    if (length > SHOWN_TRANSCRIPT)
      return `${pieces.join('')}\n${t('… The rest is left out. To see all of it: {0}', `tapedeck inspect ${path}`)}\n`;
  }
  return pieces.join('');
}

function beginningOf(text: string): string {
  if (text.length <= SHOWN_TEXT) return text;
  return `${text.slice(0, SHOWN_TEXT)}…\n${t('({0} more characters)', grouped(text.length - SHOWN_TEXT))}`;
}

function head({ name, format, totals }: TranscriptReader, ink: TextStyle): string {
  const facts = [
    format.label,
    plural(totals.interactions, 'interaction'),
    ...(totals.toolCalls > 0 ? [plural(totals.toolCalls, 'tool call')] : []),
    ...(totals.usage.totalTokens > 0 ? [tokens(totals.usage)] : []),
    ...costText(totals.cost, totals.unpriced),
  ];
  return `${ink.bold(escapeInvisible(name) || t('unnamed tape'))}  ${ink.dim(facts.join(', '))}`;
}

/** "$0.0042 at list prices of …", with how many responses are from models without a price. */
function costText(cost: number | undefined, unpriced = 0): readonly string[] {
  const gap = counted(unpriced, 'no price known for {0} response', 'no price known for {0} responses');
  const gaps = unpriced === 0 ? [] : [gap];
  if (cost === undefined) return gaps;
  return [t('{0} at list prices of {1}', `${formatDollars(cost)}${unpriced > 0 ? '+' : ''}`, PRICES_DATE), ...gaps];
}

/** The number of interactions on the tape, and what each of them cost, if that is known. */
interface Sized {
  readonly totals: { readonly interactions: number };
  readonly summaries?: readonly Pick<InteractionSummary, 'numbers'>[];
}

/** One interaction of a transcript. */
export function sectionText(body: InteractionBody, interactions: number, ink: TextStyle): string {
  return section(body, { totals: { interactions } }, ink);
}

function section(
  { index, again, changes, entries }: InteractionBody,
  { totals, summaries }: Sized,
  ink: TextStyle,
  shown = (text: string): string => text,
): string {
  const cost = summaries?.[index]?.numbers.cost;
  const rule = `\n${ink.dim(`── ${t('interaction {0} of {1}', index + 1, totals.interactions)} ──`)}`;
  return [
    rule,
    ...(again === undefined ? [] : [ink.dim(t('the request of interaction {0} again', again + 1))]),
    ...changes.map((change) => changeText(change, ink)),
    ...entries.map((entry) => entryText(entry, ink, shown, cost)),
  ].join('\n');
}

/** A silent change: `~` with its title, then the removed and added text. */
function changeText({ title, since, diff }: DescribedChange, ink: TextStyle): string {
  const pieces = diff.map((piece) => {
    if (piece.type === 'skipped') return '…';
    const text = escapeInvisible(piece.text);
    return piece.type === 'added' ? ink.green(`[+${text}+]`) : piece.type === 'removed' ? ink.red(`[-${text}-]`) : text;
  });
  const shown = escapeInvisible(title);
  const told = since === undefined ? shown : t('{0} since interaction {1}', shown, since + 1);
  return `${ink.yellow(`~ ${told}`)}\n${indentLines(pieces.join(''), '  ')}`;
}

function entryText(
  { role, text, extras = [], toolCalls, model, usage, error, missing }: TranscriptEntry,
  ink: TextStyle,
  shown: (text: string) => string,
  cost: number | undefined,
): string {
  const facts = [
    ...(model === undefined ? [] : [escapeInvisible(model)]),
    ...(usage === undefined ? [] : [tokens(usage)]),
    ...(usage === undefined || cost === undefined ? [] : [formatDollars(cost)]),
  ];
  const name = roleName(role);
  const title = ink.cyan(name === role ? escapeInvisible(role) : name.toLowerCase());
  return [
    facts.length > 0 ? `${title}  ${ink.dim(facts.join(', '))}` : title,
    ...(missing ? [ink.dim(`  ${t('no response on this tape')}`)] : []),
    ...extras.map((extra) => indentLines(extraText(extra, ink, shown), '  ')),
    ...(text === '' ? [] : [indentLines(escapeInvisible(shown(text)), '  ')]),
    ...toolCalls.map((call) => indentLines(callText(call, ink, shown), '  ')),
    ...(error === undefined ? [] : [ink.red(indentLines(t('error: {0}', escapeInvisible(shown(error))), '  '))]),
  ].join('\n');
}

/** Reasoning, an image, a search by the provider. */
function extraText({ label, text }: MessageExtra, ink: TextStyle, shown: (text: string) => string): string {
  return `${ink.dim(`${escapeInvisible(label)}:`)} ${indentLines(escapeInvisible(shown(text)), '  ').trimStart()}`;
}

function callText(
  { name, arguments: args, result }: TranscriptToolCall,
  ink: TextStyle,
  shown: (text: string) => string,
): string {
  const call = `${ink.yellow('→')} ${ink.bold(escapeInvisible(name))} ${escapeInvisible(shown(args))}`;
  return result === undefined
    ? call
    : `${call}\n${ink.green('←')} ${indentLines(escapeInvisible(shown(result)), '  ').trimStart()}`;
}

function tokens({ promptTokens, completionTokens, totalTokens }: Usage): string {
  return t('{0} in, {1} out: {2} tokens', promptTokens, completionTokens, totalTokens);
}
