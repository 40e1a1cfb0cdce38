import type { Usage } from '../model/usage';
import { formatDollars } from '../prices/formatDollars';
import { PRICES_DATE } from '../prices/listPrices';
import type { PriceTable } from '../prices/priceTable';
import type { TapeFile } from '../tapes/tapeFile';
import { escapeInvisible, indentLines } from '../text/escapeInvisible';
import { formatProblem, LineIndex } from '../text/source';
import type { TextStyle } from '../text/textStyle';
import type { DescribedChange } from '../transcript/describeSilentChange';
import type { InteractionBody, Transcript, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import { readTranscript } from '../transcript/transcriptReader';

/** A tape as a conversation in plain text. Throws if the file is not a tape. */
export function transcriptText(path: string, file: TapeFile, ink: TextStyle, prices?: PriceTable): string {
  const transcript = readTranscript(file, prices);
  if (transcript === undefined) throw new Error(`${path} is not a tape`);
  const lines = new LineIndex(file.text);
  const problems = transcript.problems.map((problem) => ink.yellow(formatProblem(path, lines, problem)));
  const sections = [
    head(transcript, ink),
    ...problems,
    ...transcript.bodies.map((body) => section(body, transcript, ink)),
  ];
  return `${sections.join('\n')}\n`;
}

function head({ name, formatLabel, totals }: Transcript, ink: TextStyle): string {
  const facts = [
    formatLabel,
    counted(totals.interactions, 'interaction'),
    ...(totals.toolCalls > 0 ? [counted(totals.toolCalls, 'tool call')] : []),
    ...(totals.usage.totalTokens > 0 ? [tokens(totals.usage)] : []),
    ...(totals.cost === undefined ? [] : [costText(totals.cost, totals.unpriced)]),
  ];
  return `${ink.bold(escapeInvisible(name) || 'unnamed tape')}  ${ink.dim(facts.join(', '))}`;
}

/** "$0.0042 by list prices of …", with a `+` where some responses are from models without a price. */
function costText(cost: number, unpriced = 0): string {
  return `${formatDollars(cost)}${unpriced > 0 ? '+' : ''} at list prices of ${PRICES_DATE}`;
}

/** The number of interactions on the tape. */
interface Sized {
  readonly totals: { readonly interactions: number };
}

/** One interaction of a transcript. */
export function sectionText(body: InteractionBody, interactions: number, ink: TextStyle): string {
  return section(body, { totals: { interactions } }, ink);
}

function section({ index, again, changes, entries }: InteractionBody, { totals }: Sized, ink: TextStyle): string {
  const rule = `\n${ink.dim(`── interaction ${index + 1} of ${totals.interactions} ──`)}`;
  return [
    rule,
    ...(again === undefined ? [] : [ink.dim(`the request of interaction ${again + 1} again`)]),
    ...changes.map((change) => changeText(change, ink)),
    ...entries.map((entry) => entryText(entry, ink)),
  ].join('\n');
}

/** A silent change: `~` with its title, then the removed and added text. */
function changeText({ title, since, diff }: DescribedChange, ink: TextStyle): string {
  const pieces = diff.map((piece) => {
    if (piece.type === 'skipped') return '…';
    const text = escapeInvisible(piece.text);
    return piece.type === 'added' ? ink.green(`[+${text}+]`) : piece.type === 'removed' ? ink.red(`[-${text}-]`) : text;
  });
  const after = since === undefined ? '' : ` since interaction ${since + 1}`;
  return `${ink.yellow(`~ ${escapeInvisible(title)}${after}`)}\n${indentLines(pieces.join(''), '  ')}`;
}

function entryText({ role, text, toolCalls, model, usage, error, missing }: TranscriptEntry, ink: TextStyle): string {
  const facts = [
    ...(model === undefined ? [] : [escapeInvisible(model)]),
    ...(usage === undefined ? [] : [tokens(usage)]),
  ];
  const title = ink.cyan(escapeInvisible(role));
  return [
    facts.length > 0 ? `${title}  ${ink.dim(facts.join(', '))}` : title,
    ...(missing ? [ink.dim('  no response on this tape')] : []),
    ...(text === '' ? [] : [indentLines(escapeInvisible(text), '  ')]),
    ...toolCalls.map((call) => indentLines(callText(call, ink), '  ')),
    ...(error === undefined ? [] : [ink.red(indentLines(`error: ${escapeInvisible(error)}`, '  '))]),
  ].join('\n');
}

function callText({ name, arguments: args, result }: TranscriptToolCall, ink: TextStyle): string {
  const call = `${ink.yellow('→')} ${ink.bold(escapeInvisible(name))} ${escapeInvisible(args)}`;
  return result === undefined
    ? call
    : `${call}\n${ink.green('←')} ${indentLines(escapeInvisible(result), '  ').trimStart()}`;
}

function tokens({ promptTokens, completionTokens, totalTokens }: Usage): string {
  return `${promptTokens} in, ${completionTokens} out: ${totalTokens} tokens`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
