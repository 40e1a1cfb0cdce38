import * as vscode from 'vscode';
import type { RunSummary, SummaryCase, SummaryCause } from '../../../contracts/pages/runSummary';
import { RUN_OUTCOMES, runOutcome, summaryLine } from '../../../core/cases/runSummary';
import { type DriftCause, driftCauses } from '../../../core/match/driftCauses';
import { maskedThings } from '../../../core/match/maskWords';
import type { ReplayMiss } from '../../../core/model/run';
import type { RunRecord } from '../../../core/model/runRecord';
import { formatRetakeCost } from '../../../core/prices/formatRetakeCost';
import { sumCosts } from '../../../core/prices/retakeCostSums';
import { failureLine } from '../../../core/runs/failureLine';
import { t } from '../../../core/text/l10n';
import type { CaseEntry } from '../../stores/cases/caseEntry';

interface ListedRun {
  readonly entry: CaseEntry;
  readonly isRunning: boolean;
  /** The last run that ended. */
  readonly run: RunRecord | undefined;
}

/** The page's view of the last runs of some cases. */
export function summaryState(runs: readonly ListedRun[], canRun: boolean): RunSummary {
  const results = runs.flatMap(({ isRunning, run }) => (isRunning || run === undefined ? [] : [run]));
  const running = runs.length - results.length;
  const cases = runs.map(summaryCase).sort((left, right) => rank(left) - rank(right));
  return {
    title: t('Run Summary'),
    line: running > 0 ? t('Replaying {0} of {1} cases', running, runs.length) : summaryLine(results),
    cases,
    causes: driftCauses(runs.flatMap(driftedRun)).map(summaryCause),
    canRun,
  };
}

function rank({ outcome }: SummaryCase): number {
  return outcome === 'running' ? -1 : RUN_OUTCOMES.indexOf(outcome);
}

function summaryCase({ entry, isRunning, run }: ListedRun): SummaryCase {
  const { uri, name, relativePath } = entry;
  const about = { id: uri.toString(), name, path: relativePath };
  if (isRunning || run === undefined) return { ...about, outcome: 'running', detail: '' };
  return { ...about, outcome: runOutcome(run), detail: detailOf(run) };
}

/** Why it failed, or what was compared. */
function detailOf({ status, failures, compared }: RunRecord): string {
  return (status === 'failed' && failureLine(failures)) || compared;
}

interface DriftedRun {
  readonly id: string;
  readonly miss: ReplayMiss;
  readonly isToml: boolean;
}

function driftedRun({ entry, isRunning, run }: ListedRun): readonly DriftedRun[] {
  const failures = isRunning || run === undefined ? [] : run.failures;
  const miss = failures.find((failure) => failure.miss !== undefined)?.miss;
  return miss === undefined ? [] : [{ id: entry.uri.toString(), miss, isToml: entry.kind.id === 'toml' }];
}

function summaryCause({ title, line, masks, cases }: DriftCause<DriftedRun>): SummaryCause {
  const list = masks.map((mask) => JSON.stringify(mask)).join(', ');
  const isInCases = cases.every(({ isToml }) => isToml);
  const place = isInCases ? t('to [llm.replay] of each case') : t('to the cases, or to [replay] of tapedeck.toml');
  return {
    title,
    line,
    ...(masks.length > 0 && { mask: t('Mask {0}', maskedThings(masks)), written: { text: `mask = [${list}]`, place } }),
    cost: formatRetakeCost(sumCosts(cases.map(({ miss }) => miss.retake))),
    ids: cases.map(({ id }) => id),
  };
}

/** The URIs of cases as the page names them. */
export function uriOf(id: string): vscode.Uri {
  return vscode.Uri.parse(id, true);
}
