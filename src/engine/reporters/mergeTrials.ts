import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Trial } from '../../core/model/trial';
import { flag, list, number, object, shape, text, trusted } from '../../core/schema/schema';
import { trialOf } from '../../core/trials/summary';
import { type MergedReport, RepeatedPath, sortedItems } from './mergedItems';
import { type MarkdownTotals, markdownTrial, type TrialMarkdownPart } from './trialMarkdown';
import { trialExitCode, trialJson } from './trialReport';

/** What is joined of `trial --json`, whose members are those of a trial. */
export const TRIAL = trusted<Trial>(
  shape({
    models: list(text()),
    samples: number(),
    isComplete: flag(),
    cases: list(shape({ casePath: text() })),
    cells: list(
      shape({
        casePath: text(),
        model: text(),
        needed: number(),
        summary: object(),
        samples: list(shape({ durationMs: number() })),
      }),
    ),
  }),
);

/** Trials of different cases with the same models; undefined for others. */
export function mergeTrials(parts: readonly Trial[]): MergedReport | RepeatedPath | undefined {
  const [first] = parts;
  const isSame = ({ models, samples }: Trial): boolean =>
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
  const merged = markdownTrial(
    { samples: first.data.samples, missed, totals },
    sections.map((one) => one.text),
  );
  return { text: merged, exitCode: missed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed };
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
