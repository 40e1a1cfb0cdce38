import { EXIT_CODES, exitCodeOf } from '../../core/cases/runOutcome';
import { parseJson } from '../../core/json/readJson';
import type { FailureKind } from '../../core/model/run';
import type { Trial } from '../../core/model/trial';
import type { Shard } from '../../core/project/shard';
import { accepts } from '../../core/schema/accepts';
import {
  count,
  flag,
  list,
  number,
  object,
  optional,
  shape,
  text,
  trusted,
  type Value,
} from '../../core/schema/schema';
import { trialOf } from '../../core/trials/summary';
import {
  type CheckCounts,
  countsText,
  MARKDOWN_TITLE,
  markdownDocument,
  NOTHING_CHANGED,
  readCounts,
} from './checkReport';
import { jsonDocument } from './jsonDocument';
import type { CheckDocument, RunDocument } from './jsonDocuments';
import { type JunitSuite, junitSuites, readJunit } from './junitXml';
import { type MarkdownSection, readSections } from './markdownText';
import { type MergedReport, RepeatedPath, sortedItems } from './mergedItems';
import { type RunMarkdown, readRunMarkdown, runMarkdown } from './runMarkdown';
import { readShardMark } from './shardMark';
import { type MarkdownTotals, markdownTrial, readTrialMarkdown, type TrialMarkdownPart } from './trialMarkdown';
import { trialExitCode, trialJson } from './trialReport';

// What is joined of `run --json` and `check --json`. Their items stay as they were printed, by another version perhaps.
const RESULT = shape({
  casePath: text(),
  status: text(),
  failures: list(shape({ kind: trusted<FailureKind>(text()) })),
});
type Result = Value<typeof RESULT>;
const SHARD = shape({ index: count('', 1), count: count('', 1) });
const RUN = shape({
  shard: optional(SHARD),
  results: list(RESULT),
  summary: shape({ durationMs: optional(number()) }),
});

const CHECKED_FILE = shape({ path: text(), changes: list(shape({ decision: optional(text()) })) });
type CheckedFile = Value<typeof CHECKED_FILE>;
const CHECK = shape({ shard: optional(SHARD), matches: flag(), files: list(CHECKED_FILE) });

/** A report that a command has printed, with the shard that it is of. */
export type PartReport = PartialReport & { readonly shard?: Shard | undefined };

type PartialReport =
  | { readonly kind: 'run'; readonly report: Value<typeof RUN> }
  | { readonly kind: 'check'; readonly files: readonly CheckedFile[] }
  | { readonly kind: 'junit'; readonly suite: JunitSuite }
  | { readonly kind: 'trial'; readonly trial: Trial }
  | { readonly kind: 'trialMarkdown'; readonly trial: TrialMarkdownPart }
  | { readonly kind: 'runMarkdown'; readonly report: RunMarkdown }
  | { readonly kind: 'markdown'; readonly counts: CheckCounts; readonly sections: readonly MarkdownSection[] };

/** Reads what `run`, `check` or `trial` has printed; undefined for anything else. */
export function readReport(printed: string): PartReport | undefined {
  if (printed.startsWith('{')) return readJsonReport(parseJson(printed));
  const { report, shard } = readShardMark(printed);
  const part = readTextReport(report);
  return part && { ...part, shard };
}

function readTextReport(printed: string): PartialReport | undefined {
  const suite = readJunit(printed);
  if (suite !== undefined) return { kind: 'junit', suite };
  const trial = readTrialMarkdown(printed);
  if (trial !== undefined) return { kind: 'trialMarkdown', trial };
  const report = readRunMarkdown(printed);
  return report === undefined ? readMarkdown(printed) : { kind: 'runMarkdown', report };
}

/** What is joined of `trial --json`, whose members are those of a trial. */
const TRIAL = trusted<Trial & { readonly shard?: Shard }>(
  shape({
    shard: optional(SHARD),
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

function readJsonReport(value: unknown): PartReport | undefined {
  if (accepts(TRIAL, value)) return { kind: 'trial', trial: value, shard: value.shard };
  if (accepts(RUN, value)) return { kind: 'run', report: value, shard: value.shard };
  return accepts(CHECK, value) ? { kind: 'check', files: value.files, shard: value.shard } : undefined;
}

function readMarkdown(printed: string): PartialReport | undefined {
  if (printed === NOTHING_CHANGED) return { kind: 'markdown', counts: readCounts(''), sections: [] };
  if (!printed.startsWith(MARKDOWN_TITLE)) return undefined;
  const { head, sections } = readSections(printed);
  return { kind: 'markdown', counts: readCounts(head.slice(MARKDOWN_TITLE.length)), sections };
}

/** The shards of which there is no report among these: as many belong together as those that are here say. */
export function missingShards(parts: readonly PartReport[]): readonly Shard[] {
  const shards = parts.flatMap(({ shard }) => shard ?? []);
  const counts = [...new Set(shards.map(({ count }) => count))];
  return counts.flatMap((count) =>
    Array.from({ length: count }, (_, at) => ({ index: at + 1, count })).filter(
      ({ index }) => !shards.some((one) => one.count === count && one.index === index),
    ),
  );
}

/** Joins reports of one kind, in the order of a single command; undefined if they are of several kinds. */
export function mergeReports(parts: readonly PartReport[]): MergedReport | RepeatedPath | undefined {
  const runs = parts.filter((part) => part.kind === 'run');
  const checks = parts.filter((part) => part.kind === 'check');
  const suites = parts.filter((part) => part.kind === 'junit');
  const markdowns = parts.filter((part) => part.kind === 'markdown');
  if (runs.length === parts.length) return mergeRuns(runs);
  if (checks.length === parts.length) return mergeChecks(checks);
  if (suites.length === parts.length) return mergeSuites(suites.map(({ suite }) => suite));
  if (markdowns.length === parts.length) return mergeMarkdown(markdowns);
  const trials = parts.flatMap((part) => (part.kind === 'trial' ? [part.trial] : []));
  if (trials.length === parts.length) return mergeTrials(trials);
  const reports = parts.flatMap((part) => (part.kind === 'runMarkdown' ? [part.report] : []));
  if (reports.length === parts.length) return mergeRunMarkdown(reports);
  const pages = parts.flatMap((part) => (part.kind === 'trialMarkdown' ? [part.trial] : []));
  return pages.length === parts.length ? mergeTrialMarkdown(pages) : undefined;
}

type Merged<Document, Items extends keyof Document> = Omit<Document, Items> & Record<Items, readonly object[]>;

type Part<Kind extends PartReport['kind']> = Extract<PartReport, { kind: Kind }>;

function mergeRuns(parts: readonly Part<'run'>[]): MergedReport | RepeatedPath {
  const results = sortedItems(
    parts.map(({ report }) => report.results),
    ({ casePath }) => casePath,
  );
  if (results instanceof RepeatedPath) return results;
  const count = (wanted: string): number => results.filter(({ status }) => status === wanted).length;
  const totals = {
    total: results.length,
    passed: count('passed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
  };
  const summary = {
    ...totals,
    durationMs: parts.reduce((sum, { report }) => sum + (report.summary.durationMs ?? 0), 0),
  };
  const exitCode = exitCodeOfResults(results);
  return {
    text: jsonDocument<Merged<RunDocument, 'results'>>(exitCode === EXIT_CODES.ok, { summary, results }),
    exitCode,
  };
}

function exitCodeOfResults(results: readonly Result[]): number {
  if (results.some(({ status }) => status === 'cancelled')) return EXIT_CODES.cancelled;
  const kinds = results.flatMap(({ failures }) => failures.map(({ kind }) => kind));
  const isFailed = results.some(({ status }) => status === 'failed');
  return exitCodeOf(kinds) || (isFailed ? EXIT_CODES.failed : EXIT_CODES.ok);
}

function mergeChecks(parts: readonly Part<'check'>[]): MergedReport | RepeatedPath {
  const files = sortedItems(
    parts.map((part) => part.files),
    ({ path }) => path,
  );
  if (files instanceof RepeatedPath) return files;
  const matches = !files.some(({ changes }) => changes.some(({ decision }) => decision === 'open'));
  return {
    text: jsonDocument<Merged<CheckDocument, 'files'>>(matches, { matches, files }),
    exitCode: matches ? EXIT_CODES.ok : EXIT_CODES.failed,
  };
}

function mergeSuites(suites: readonly JunitSuite[]): MergedReport | RepeatedPath | undefined {
  const [first] = suites;
  if (first === undefined || suites.some(({ name }) => name !== first.name)) return undefined;
  const cases = sortedItems(
    suites.map((suite) => suite.cases),
    ({ key }) => key,
  );
  if (cases instanceof RepeatedPath) return cases;
  const { text, counts } = junitSuites(first.name, suites, cases);
  const isOk = Number(counts.failures ?? 0) + Number(counts.errors ?? 0) + Number(counts.skipped ?? 0) === 0;
  return { text, exitCode: isOk ? EXIT_CODES.ok : EXIT_CODES.failed };
}

function mergeRunMarkdown(parts: readonly RunMarkdown[]): MergedReport | RepeatedPath {
  const sections = sortedItems(
    parts.map((part) => part.sections),
    ({ key }) => key,
  );
  if (sections instanceof RepeatedPath) return sections;
  const sum = (name: keyof RunMarkdown['totals']): number => parts.reduce((all, { totals }) => all + totals[name], 0);
  const totals = { total: sum('total'), passed: sum('passed'), failed: sum('failed'), cancelled: sum('cancelled') };
  const isOk = totals.failed + totals.cancelled === 0;
  return { text: runMarkdown({ totals, sections }), exitCode: isOk ? EXIT_CODES.ok : EXIT_CODES.failed };
}

function mergeMarkdown(parts: readonly Part<'markdown'>[]): MergedReport | RepeatedPath {
  const sections = sortedItems(
    parts.map((part) => part.sections),
    ({ key }) => key,
  );
  if (sections instanceof RepeatedPath) return sections;
  const sum = (name: keyof CheckCounts): number => parts.reduce((all, { counts }) => all + counts[name], 0);
  const counts = {
    open: sum('open'),
    accepted: sum('accepted'),
    rejected: sum('rejected'),
    noise: sum('noise'),
    ignored: sum('ignored'),
    renamed: sum('renamed'),
  };
  const text =
    sections.length === 0
      ? NOTHING_CHANGED
      : markdownDocument(
          countsText(counts),
          sections.map((one) => one.text),
        );
  return { text, exitCode: counts.open === 0 ? EXIT_CODES.ok : EXIT_CODES.failed };
}

/** Trials of different cases with the same models; undefined for others. */
function mergeTrials(parts: readonly Trial[]): MergedReport | RepeatedPath | undefined {
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
function mergeTrialMarkdown(parts: readonly TrialMarkdownPart[]): MergedReport | RepeatedPath | undefined {
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
