import type { Usage } from '../../core/tapes/tape';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { formatProblem, LineIndex } from '../../core/text/source';
import { readTranscript } from '../../core/transcript/readTranscript';
import type { ShownChange } from '../../core/transcript/shownChange';
import type {
  InteractionBody,
  Transcript,
  TranscriptEntry,
  TranscriptToolCall,
} from '../../core/transcript/transcript';
import type { Paint } from '../commands/paint';
import { counted } from '../runs/describeComparison';
import { indented, visible } from './visible';

/** A tape as a conversation on a terminal. The file must be a tape. */
export function transcriptText(path: string, file: TapeFile, paint: Paint): string {
  const transcript = readTranscript(file);
  if (transcript === undefined) throw new Error(`${path} is no tape`);
  const lines = new LineIndex(file.text);
  const problems = transcript.problems.map((problem) => paint.yellow(formatProblem(path, lines, problem)));
  const sections = [
    head(transcript, paint),
    ...problems,
    ...transcript.bodies.map((body) => section(body, transcript, paint)),
  ];
  return `${sections.join('\n')}\n`;
}

function head({ name, formatLabel, totals }: Transcript, paint: Paint): string {
  const facts = [
    formatLabel,
    counted(totals.interactions, 'interaction'),
    ...(totals.toolCalls > 0 ? [counted(totals.toolCalls, 'tool call')] : []),
    ...(totals.usage.totalTokens > 0 ? [tokens(totals.usage)] : []),
  ];
  return `${paint.bold(visible(name) || 'unnamed tape')}  ${paint.dim(facts.join(', '))}`;
}

function section({ index, changes, entries }: InteractionBody, { totals }: Transcript, paint: Paint): string {
  const rule = `\n${paint.dim(`── interaction ${index + 1} of ${totals.interactions} ──`)}`;
  return [
    rule,
    ...changes.map((change) => changeText(change, paint)),
    ...entries.map((entry) => entryText(entry, paint)),
  ].join('\n');
}

/** What changed silently in the part that repeats: `~` and what was taken and put. */
function changeText({ title, since, diff }: ShownChange, paint: Paint): string {
  const pieces = diff.map((piece) => {
    if (piece.type === 'skipped') return '…';
    const text = visible(piece.text);
    return piece.type === 'added'
      ? paint.green(`[+${text}+]`)
      : piece.type === 'removed'
        ? paint.red(`[-${text}-]`)
        : text;
  });
  const after = since === undefined ? '' : ` since interaction ${since + 1}`;
  return `${paint.yellow(`~ ${visible(title)}${after}`)}\n${indented(pieces.join(''), '  ')}`;
}

function entryText({ role, text, toolCalls, model, usage, error, missing }: TranscriptEntry, paint: Paint): string {
  const facts = [...(model === undefined ? [] : [visible(model)]), ...(usage === undefined ? [] : [tokens(usage)])];
  const title = paint.cyan(visible(role));
  return [
    facts.length > 0 ? `${title}  ${paint.dim(facts.join(', '))}` : title,
    ...(missing ? [paint.dim('  no answer on this tape')] : []),
    ...(text === '' ? [] : [indented(visible(text), '  ')]),
    ...toolCalls.map((call) => indented(callText(call, paint), '  ')),
    ...(error === undefined ? [] : [paint.red(indented(`error: ${visible(error)}`, '  '))]),
  ].join('\n');
}

function callText({ name, arguments: args, result }: TranscriptToolCall, paint: Paint): string {
  const call = `${paint.yellow('→')} ${paint.bold(visible(name))} ${visible(args)}`;
  return result === undefined ? call : `${call}\n${paint.green('←')} ${indented(visible(result), '  ').trimStart()}`;
}

function tokens({ promptTokens, completionTokens, totalTokens }: Usage): string {
  return `${promptTokens} in, ${completionTokens} out: ${totalTokens} tokens`;
}
