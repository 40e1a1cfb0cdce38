import type { Usage } from '../../src/core/tapes/tape';
import type { Transcript } from '../../src/core/transcript/transcript';

/** One thing the header says about a tape. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** What the value leaves open. */
  readonly note?: string;
}

export function tapeFacts({ formatLabel, totals, entries }: Transcript): readonly Fact[] {
  const responses = entries.filter(({ origin }) => origin === 'response');
  const silent = responses.filter(({ usage }) => usage === undefined).length;
  const tokens = (count: number): Pick<Fact, 'value' | 'note'> => tokenValue(count, responses.length, silent);
  return [
    { name: 'Format', value: formatLabel },
    { name: 'Interactions', value: formatCount(totals.interactions) },
    { name: 'Tool calls', value: formatCount(totals.toolCalls) },
    { name: 'Tokens in', ...tokens(totals.usage.promptTokens) },
    { name: 'Tokens out', ...tokens(totals.usage.completionTokens) },
    { name: 'Tokens in all', ...tokens(totals.usage.totalTokens) },
  ];
}

/** The tokens of one response: "1,204 in, 87 out". */
export function usageText({ promptTokens, completionTokens }: Usage): string {
  return `${formatCount(promptTokens)} in, ${formatCount(completionTokens)} out`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A dash where no response says how much it used; where only some do, the sum is a lower bound. */
function tokenValue(count: number, responses: number, silent: number): Pick<Fact, 'value' | 'note'> {
  if (silent === responses) return { value: '\u2013', note: 'The tape does not say' };
  if (silent === 0) return { value: formatCount(count) };
  return { value: `${formatCount(count)}+`, note: `${silent} of ${responses} responses do not say` };
}
