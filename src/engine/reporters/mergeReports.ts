import { EXIT_CODES, exitCodeOf } from '../../core/cases/runOutcome';
import { isRecord, type Json, type JsonRecord } from '../../core/json/json';
import { parseJson } from '../../core/json/readJson';
import type { FailureKind } from '../../core/model/run';
import {
  type CheckCounts,
  countsText,
  MARKDOWN_TITLE,
  markdownDocument,
  NOTHING_CHANGED,
  readCounts,
} from './checkReport';
import type { CheckDocument, RunDocument } from './documents';
import { jsonDocument } from './jsonDocument';
import { type JunitSuite, junitSuites, readJunit } from './junitXml';
import { type MarkdownSection, readSections } from './markdownText';
import { type MergedReport, RepeatedPath, sortedItems } from './mergedItems';
import {
  isTrialPart,
  mergeTrialMarkdown,
  mergeTrials,
  readTrialMarkdown,
  type TrialMarkdownPart,
  type TrialPart,
} from './mergeTrials';
import { type RunMarkdown, readRunMarkdown, runMarkdown } from './runMarkdown';

/** A report that a command has printed. */
export type PartReport =
  | { readonly kind: 'run'; readonly durationMs: number; readonly results: readonly JsonRecord[] }
  | { readonly kind: 'check'; readonly files: readonly JsonRecord[] }
  | { readonly kind: 'junit'; readonly suite: JunitSuite }
  | { readonly kind: 'trial'; readonly trial: TrialPart }
  | { readonly kind: 'trialMarkdown'; readonly trial: TrialMarkdownPart }
  | { readonly kind: 'runMarkdown'; readonly report: RunMarkdown }
  | { readonly kind: 'markdown'; readonly counts: CheckCounts; readonly sections: readonly MarkdownSection[] };

/** Reads what `run`, `check` or `trial` has printed; undefined for anything else. */
export function readReport(text: string): PartReport | undefined {
  if (text.startsWith('{')) return readJsonReport(parseJson(text));
  const suite = readJunit(text);
  if (suite !== undefined) return { kind: 'junit', suite };
  const trial = readTrialMarkdown(text);
  if (trial !== undefined) return { kind: 'trialMarkdown', trial };
  const report = readRunMarkdown(text);
  return report === undefined ? readMarkdown(text) : { kind: 'runMarkdown', report };
}

function readJsonReport(value: Json | undefined): PartReport | undefined {
  if (!isRecord(value)) return undefined;
  if (isTrialPart(value)) return { kind: 'trial', trial: value };
  const { results, summary, files } = value;
  if (Array.isArray(results) && isRecord(summary) && results.every(isResult)) {
    const { durationMs } = summary;
    return { kind: 'run', durationMs: typeof durationMs === 'number' ? durationMs : 0, results };
  }
  return Array.isArray(files) && 'matches' in value && files.every(isCheckedFile)
    ? { kind: 'check', files }
    : undefined;
}

function isResult(value: Json): value is JsonRecord {
  return (
    isRecord(value) &&
    typeof value.casePath === 'string' &&
    typeof value.status === 'string' &&
    Array.isArray(value.failures)
  );
}

function isCheckedFile(value: Json): value is JsonRecord {
  return isRecord(value) && typeof value.path === 'string' && Array.isArray(value.changes);
}

function readMarkdown(text: string): PartReport | undefined {
  if (text === NOTHING_CHANGED) return { kind: 'markdown', counts: readCounts(''), sections: [] };
  if (!text.startsWith(MARKDOWN_TITLE)) return undefined;
  const { head, sections } = readSections(text);
  return { kind: 'markdown', counts: readCounts(head.slice(MARKDOWN_TITLE.length)), sections };
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

/** Items stay as they were printed, by another version perhaps. */
type Merged<Document, Items extends keyof Document> = Omit<Document, Items> & Record<Items, readonly JsonRecord[]>;

type Part<Kind extends PartReport['kind']> = Extract<PartReport, { kind: Kind }>;

function mergeRuns(parts: readonly Part<'run'>[]): MergedReport | RepeatedPath {
  const results = sortedItems(
    parts.map((part) => part.results),
    ({ casePath }) => String(casePath),
  );
  if (results instanceof RepeatedPath) return results;
  const count = (wanted: string): number => results.filter(({ status }) => status === wanted).length;
  const totals = {
    total: results.length,
    passed: count('passed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
  };
  const summary = { ...totals, durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0) };
  const exitCode = exitCodeOfResults(results);
  return {
    text: jsonDocument<Merged<RunDocument, 'results'>>(exitCode === EXIT_CODES.ok, { summary, results }),
    exitCode,
  };
}

function exitCodeOfResults(results: readonly JsonRecord[]): number {
  if (results.some(({ status }) => status === 'cancelled')) return EXIT_CODES.cancelled;
  const kinds = results.flatMap(({ failures }) =>
    (Array.isArray(failures) ? failures : []).flatMap((failure: Json) =>
      isRecord(failure) ? [failure.kind as FailureKind] : [],
    ),
  );
  const isFailed = results.some(({ status }) => status === 'failed');
  return exitCodeOf(kinds) || (isFailed ? EXIT_CODES.failed : EXIT_CODES.ok);
}

function mergeChecks(parts: readonly Part<'check'>[]): MergedReport | RepeatedPath {
  const files = sortedItems(
    parts.map((part) => part.files),
    ({ path }) => String(path),
  );
  if (files instanceof RepeatedPath) return files;
  const isPending = (change: Json): boolean => isRecord(change) && change.decision === 'open';
  const matches = !files.some(({ changes }) => Array.isArray(changes) && changes.some(isPending));
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
