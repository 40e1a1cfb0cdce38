import type { Message } from '../model/message';
import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { UNREADABLE } from '../tapes/unreadable';
import { ageText } from '../text/age';
import { plural } from '../text/counts';
import { t } from '../text/l10n';
import { tapeTotals } from '../transcript/metrics';
import { responseRole, roleName } from '../transcript/roleName';
import { type ReplacedTape, tapeFacts } from './replacedTape';

/** What a tape is, in short: for whoever writes a case that replays it. */
export interface TapeSummary extends ReplacedTape {
  readonly toolCalls: number;
  readonly tokens: number;
  /** US dollars; absent where no response has a price. */
  readonly cost?: number;
  /** What was said first, and the first response to it. */
  readonly firstExchange: readonly SaidLine[];
}

interface SaidLine {
  readonly who: string;
  readonly text: string;
}

/** Summarises a tape; undefined where the file is none, or cannot be read. */
export function summariseTape(file: TapeFile, prices?: PriceTable): TapeSummary | undefined {
  const format = detectFormat(file);
  if (format === undefined || format === UNREADABLE) return undefined;
  const tape = format.read(file);
  const { toolCalls, usage, cost } = tapeTotals(tape, prices);
  return {
    ...tapeFacts(tape, format.label),
    toolCalls,
    tokens: usage.totalTokens,
    cost,
    firstExchange: firstExchange(tape),
  };
}

/** The facts of a tape in a few words each, such as `3 interactions`, `gpt-4o`, `$0.0021`, and `5 days ago`. */
export function tapeFactWords(summary: TapeSummary, now: number): readonly string[] {
  const { interactions, models, cost, recordedAt } = summary;
  const [model, ...others] = models;
  return [
    plural(interactions, 'interaction'),
    ...(model === undefined
      ? []
      : [others.length === 0 ? model : t('{0} and {1}', model, plural(others.length, 'other'))]),
    ...(cost === undefined ? [] : [dollars(cost)]),
    ...(recordedAt === undefined ? [] : [ageText(now - recordedAt)]),
  ];
}

/** The same at length, with tokens and tool calls. */
export function tapeFactSentence(summary: TapeSummary, now: number): string {
  const { interactions, models, toolCalls, tokens, cost, recordedAt } = summary;
  return [
    plural(interactions, 'interaction'),
    ...(models.length > 0 ? [models.join(', ')] : []),
    ...(toolCalls > 0 ? [plural(toolCalls, 'tool call')] : []),
    ...(tokens > 0 ? [plural(tokens, 'token')] : []),
    ...(cost === undefined ? [] : [dollars(cost)]),
    // The practice model records none, so that recording again gives the same tape.
    ...(recordedAt === undefined ? [] : [t('recorded {0}', ageText(now - recordedAt))]),
  ].join(' · ');
}

function firstExchange({ interactions }: Tape): readonly SaidLine[] {
  const first = interactions.find(({ kind, request }) => kind === 'llm' && request !== undefined) ?? interactions[0];
  const { request, response, kind = 'llm' } = first ?? {};
  const asked = request?.messages.findLast(({ role }) => role === 'user') ?? request?.messages.at(-1);
  return [
    ...(asked === undefined ? [] : said(roleName(asked.role), asked)),
    ...(response === undefined ? [] : said(roleName(responseRole(kind)), response)),
  ];
}

const MAX_TEXT = 280;

function said(who: string, { content, toolCalls }: Pick<Message, 'content' | 'toolCalls'>): readonly SaidLine[] {
  const calls = toolCalls.map(({ name, arguments: given, argumentsText }) => {
    return `${name}(${argumentsText ?? (typeof given === 'string' ? given : JSON.stringify(given))})`;
  });
  const words = [content ?? '', ...calls].join('\n').replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  return [{ who, text: words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT).trimEnd()}…` : words }];
}

function dollars(cost: number): string {
  if (cost > 0 && cost < 0.0001) return t('less than $0.0001');
  return `$${cost === 0 || cost >= 0.01 ? cost.toFixed(2) : String(Number(cost.toPrecision(2)))}`;
}
