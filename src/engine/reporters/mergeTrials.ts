import { EXIT_CODES } from '../../core/cases/runOutcome';
import { isRecord, type Json } from '../../core/json/json';
import type { Trial } from '../../core/model/trial';
import { trialOf } from '../../core/trials/summary';
import type { MarkdownSection } from './markdownText';
import { type MergedReport, RepeatedPath, sortedItems } from './mergedItems';
import { type MarkdownTotals, type MarkdownTrial, markdownTrial, readMarkdownTrial } from './trialMarkdown';
import { trialExitCode, trialJson } from './trialReport';

/** What `trial --json` has printed. Its members are those of a trial. */
export type TrialPart = Trial;

/** Whether JSON is the report of a trial. Only what is joined is checked. */
export function isTrialPart(value: Json): value is Json & TrialPart {
  if (!isRecord(value)) return false;
  const { models, samples, isComplete, cases, cells } = value;
  return (
    isListOf(models, (model) => typeof model === 'string') &&
    typeof samples === 'number' &&
    typeof isComplete === 'boolean' &&
    isListOf(cases, (one) => isRecord(one) && typeof one.casePath === 'string') &&
    isListOf(cells, isCell)
  );
}

function isCell(value: Json): boolean {
  return (
    isRecord(value) &&
    typeof value.casePath === 'string' &&
    typeof value.model === 'string' &&
    typeof value.needed === 'number' &&
    isRecord(value.summary) &&
    isListOf(value.samples, (one) => isRecord(one) && typeof one.durationMs === 'number')
  );
}

function isListOf(value: Json | undefined, check: (item: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(check);
}

/** Trials of different cases with the same models; undefined for others. */
export function mergeTrials(parts: readonly TrialPart[]): MergedReport | RepeatedPath | undefined {
  const [first] = parts;
  const isSame = ({ models, samples }: TrialPart): boolean =>
    samples === first?.samples && JSON.stringify(models) === JSON.stringify(first.models);
  if (first === undefined || !parts.every(isSame)) return undefined;
  const cases = sortedItems(
    parts.map((part) => part.cases),
    ({ casePath }) => casePath,
  );
  const cells = sortedItems(
    parts.map((part) => part.cells),
    ({ casePath }) => casePath,
  );
  if (cases instanceof RepeatedPath || cells instanceof RepeatedPath)
    return cases instanceof RepeatedPath ? cases : undefined;
  const { models, samples } = first;
  const isComplete = parts.every((part) => part.isComplete);
  const trial = trialOf({ models, samples, isComplete, cases, cells });
  return { text: trialJson(trial), exitCode: trialExitCode(trial) };
}

export interface TrialMarkdownPart {
  readonly data: MarkdownTrial;
  readonly sections: readonly MarkdownSection[];
}

/** Reads what `trial --reporter markdown` has printed; undefined for other text. */
export function readTrialMarkdown(text: string): TrialMarkdownPart | undefined {
  const read = readMarkdownTrial(text);
  return read === undefined || !isMarkdownTrial(read.data) ? undefined : { data: read.data, sections: read.sections };
}

function isMarkdownTrial(value: Json | undefined): value is Json & MarkdownTrial {
  if (!isRecord(value)) return false;
  const { samples, missed, totals } = value;
  return typeof samples === 'number' && typeof missed === 'number' && isListOf(totals, isTotals);
}

function isTotals(value: Json): boolean {
  if (!isRecord(value)) return false;
  const { model, passed, errors, of, nanoDollars = 0 } = value;
  return typeof model === 'string' && [passed, errors, of, nanoDollars].every((count) => typeof count === 'number');
}

/** The same for Markdown. */
export function mergeTrialMarkdown(parts: readonly TrialMarkdownPart[]): MergedReport | RepeatedPath | undefined {
  const [first] = parts;
  const models = ({ data }: TrialMarkdownPart): string =>
    JSON.stringify([data.samples, data.totals.map(({ model }) => model)]);
  if (first === undefined || !parts.every((part) => models(part) === models(first))) return undefined;
  const sections = sortedItems(
    parts.map((part) => part.sections),
    ({ key }) => key,
  );
  if (sections instanceof RepeatedPath) return sections;
  const missed = parts.reduce((sum, { data }) => sum + data.missed, 0);
  const totals = first.data.totals.map(({ model }, at) =>
    joined(
      model,
      parts.flatMap(({ data }) => data.totals[at] ?? []),
    ),
  );
  const text = markdownTrial(
    { samples: first.data.samples, missed, totals },
    sections.map((one) => one.text),
  );
  return { text, exitCode: missed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed };
}

function joined(model: string, totals: readonly MarkdownTotals[]): MarkdownTotals {
  const sum = (numberOf: (one: MarkdownTotals) => number): number =>
    totals.reduce((all, one) => all + numberOf(one), 0);
  const isKnown = totals.every(({ nanoDollars }) => nanoDollars !== undefined);
  return {
    model,
    passed: sum(({ passed }) => passed),
    errors: sum(({ errors }) => errors),
    of: sum(({ of }) => of),
    ...(isKnown && { nanoDollars: sum(({ nanoDollars = 0 }) => nanoDollars) }),
  };
}
