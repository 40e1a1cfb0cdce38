import { PRICES_DATE, type PriceTable } from '../prices/priceTable';
import type { Usage } from '../tapes/tape';
import type { TapeFile } from '../tapes/tapeFile';
import { formatProblem, LineIndex } from '../text/source';
import { indented, visible } from '../text/visible';
import { readTranscript } from '../transcript/readTranscript';
import type { ShownChange } from '../transcript/shownChange';
import type { InteractionBody, Transcript, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import type { Ink } from './ink';

/** A tape as a conversation, for a terminal or an editor of text. The file must be a tape. */
export function transcriptText(path: string, file: TapeFile, ink: Ink, prices?: PriceTable): string {
  const transcript = readTranscript(file, prices);
  if (transcript === undefined) throw new Error(`${path} is no tape`);
  const lines = new LineIndex(file.text);
  const problems = transcript.problems.map((problem) => ink.yellow(formatProblem(path, lines, problem)));
  const sections = [
    head(transcript, ink),
    ...problems,
    ...transcript.bodies.map((body) => section(body, transcript, ink)),
  ];
  return `${sections.join('\n')}\n`;
}

function head({ name, formatLabel, totals }: Transcript, ink: Ink): string {
  const facts = [
    formatLabel,
    counted(totals.interactions, 'interaction'),
    ...(totals.toolCalls > 0 ? [counted(totals.toolCalls, 'tool call')] : []),
    ...(totals.usage.totalTokens > 0 ? [tokens(totals.usage)] : []),
    ...(totals.cost === undefined ? [] : [costText(totals.cost, totals.unpriced)]),
  ];
  return `${ink.bold(visible(name) || 'unnamed tape')}  ${ink.dim(facts.join(', '))}`;
}

/** "$0.0042 by list prices of …"; more where some answers are of models without a price. */
function costText(cost: number, unpriced = 0): string {
  const digits = cost >= 1 || cost === 0 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(cost)));
  return `$${cost.toFixed(Math.max(2, digits))}${unpriced > 0 ? '+' : ''} by list prices of ${PRICES_DATE}`;
}

/** What a section has to know of the whole. */
interface Sized {
  readonly totals: { readonly interactions: number };
}

/** One interaction of it. */
export function sectionText(body: InteractionBody, interactions: number, ink: Ink): string {
  return section(body, { totals: { interactions } }, ink);
}

function section({ index, changes, entries }: InteractionBody, { totals }: Sized, ink: Ink): string {
  const rule = `\n${ink.dim(`── interaction ${index + 1} of ${totals.interactions} ──`)}`;
  return [
    rule,
    ...changes.map((change) => changeText(change, ink)),
    ...entries.map((entry) => entryText(entry, ink)),
  ].join('\n');
}

/** What changed silently in the part that repeats: `~` and what was taken and put. */
function changeText({ title, since, diff }: ShownChange, ink: Ink): string {
  const pieces = diff.map((piece) => {
    if (piece.type === 'skipped') return '…';
    const text = visible(piece.text);
    return piece.type === 'added' ? ink.green(`[+${text}+]`) : piece.type === 'removed' ? ink.red(`[-${text}-]`) : text;
  });
  const after = since === undefined ? '' : ` since interaction ${since + 1}`;
  return `${ink.yellow(`~ ${visible(title)}${after}`)}\n${indented(pieces.join(''), '  ')}`;
}

function entryText({ role, text, toolCalls, model, usage, error, missing }: TranscriptEntry, ink: Ink): string {
  const facts = [...(model === undefined ? [] : [visible(model)]), ...(usage === undefined ? [] : [tokens(usage)])];
  const title = ink.cyan(visible(role));
  return [
    facts.length > 0 ? `${title}  ${ink.dim(facts.join(', '))}` : title,
    ...(missing ? [ink.dim('  no answer on this tape')] : []),
    ...(text === '' ? [] : [indented(visible(text), '  ')]),
    ...toolCalls.map((call) => indented(callText(call, ink), '  ')),
    ...(error === undefined ? [] : [ink.red(indented(`error: ${visible(error)}`, '  '))]),
  ].join('\n');
}

function callText({ name, arguments: args, result }: TranscriptToolCall, ink: Ink): string {
  const call = `${ink.yellow('→')} ${ink.bold(visible(name))} ${visible(args)}`;
  return result === undefined ? call : `${call}\n${ink.green('←')} ${indented(visible(result), '  ').trimStart()}`;
}

function tokens({ promptTokens, completionTokens, totalTokens }: Usage): string {
  return `${promptTokens} in, ${completionTokens} out: ${totalTokens} tokens`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
