import * as vscode from 'vscode';
import type { Handlers, Served } from '../../../contracts/contract';
import { type RunSummary, type SummaryCase, type SummaryCause, summaryPage } from '../../../contracts/pages/runSummary';
import { RUN_OUTCOMES, runOutcome, summaryLine } from '../../../core/cases/runSummary';
import { type DriftCause, driftCauses } from '../../../core/match/driftCauses';
import { maskTitle } from '../../../core/match/maskWords';
import type { ReplayMiss } from '../../../core/model/run';
import type { RunRecord } from '../../../core/model/runRecord';
import { formatRetakeCost } from '../../../core/prices/formatRetakeCost';
import { sumCosts } from '../../../core/prices/retakeCostSums';
import { failureLine } from '../../../core/runs/failureLine';
import { accepts } from '../../../core/schema/accepts';
import { list, shape, text } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import type { CommandId } from '../../base/commands';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import { reportError } from '../../base/humanError';
import type { Log } from '../../base/log';
import { openPage } from '../../base/page';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import { lastMiss } from '../drifts/driftedCase';
import { maskAll } from '../drifts/maskAll';
import { type MaskedCase, previewMasks } from '../drifts/maskEdits';
import type { CaseTests } from '../testExplorer/caseTests';

export interface SummaryParts {
  readonly extensionUri: vscode.Uri;
  readonly cases: CaseStore;
  readonly states: CaseStates;
  readonly tests: CaseTests;
  readonly log: Log;
}

/** How long results are collected before the page is updated: those of a replay come within milliseconds of each other. */
const SETTLE_MS = 100;

export function createSummaryPanel(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel('tapedeck.summary', t('Run Summary'), vscode.ViewColumn.Active, {
    enableFindWidget: true,
  });
}

/** The cases of a summary, as its page keeps them. */
export function keptCases(kept: unknown): readonly vscode.Uri[] {
  return accepts(KEPT, kept) ? kept.cases.map(uriOf) : [];
}

const KEPT = shape({ cases: list(text()) });

/** The page about the last runs of some cases, which follows them. There is one. */
export class SummaryPanel implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #page: Served<typeof summaryPage>;
  #uris: readonly vscode.Uri[] = [];
  #sent: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: SummaryParts,
    private readonly panel: vscode.WebviewPanel,
    onDidDispose: () => void,
  ) {
    const { extensionUri, states } = parts;
    const changes = this.#owned.add(new Debouncer<void>(SETTLE_MS, () => this.#send()));
    this.#page = openPage({
      panel,
      extensionUri,
      contract: summaryPage,
      handlers: this.#handlers(),
      name: 'summary',
      title: t('Run Summary'),
      closed: t('the summary was closed'),
    });
    this.#owned.add(states.onDidChange(() => changes.add('', undefined)));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#send()));
    this.panel.onDidDispose(() => {
      this.#owned.dispose();
      onDidDispose();
    });
  }

  show(uris: readonly vscode.Uri[]): void {
    this.#uris = uris;
    this.panel.reveal();
    this.#send();
  }

  dispose(): void {
    this.panel.dispose();
  }

  #handlers(): Handlers<typeof summaryPage.calls> {
    const { tests } = this.parts;
    const command = async (id: CommandId, ...args: readonly unknown[]) =>
      void (await vscode.commands.executeCommand(id, ...args));
    return {
      openCase: ({ id }) => this.#openCase(id),
      review: ({ id }) => command('tapedeck.reviewCase', uriOf(id)),
      replay: ({ ids }) => this.#try(async () => void (await tests.run(this.#entries(ids), 'replay'))),
      record: ({ ids }) => this.#try(async () => void (await tests.run(this.#entries(ids), 'record'))),
      previewMasks: async ({ ids }) => previewMasks(await this.#masked(ids)),
      mask: ({ ids }) => this.#try(async () => maskAll(await this.#masked(ids), tests)),
      acceptBaselines: ({ ids }) => {
        const nodes = ids.map((id) => ({ type: 'review', resource: uriOf(id), about: 'run' }));
        return command('tapedeck.acceptReview', nodes[0], nodes);
      },
    };
  }

  /** A failed action of the page reports its error like a command. */
  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      void reportError(error, this.parts.log);
    }
  }

  async #masked(ids: readonly string[]): Promise<readonly MaskedCase[]> {
    const found = this.#entries(ids).map(async (entry) => {
      const masks = (await lastMiss(this.parts.states, entry.uri))?.masks ?? [];
      return masks.length === 0 ? [] : [{ entry, masks }];
    });
    return (await Promise.all(found)).flat();
  }

  async #openCase(id: string): Promise<void> {
    const [entry] = this.#entries([id]);
    if (entry === undefined) return;
    const selection = new vscode.Range(entry.headLine, 0, entry.headLine, 0);
    await vscode.commands.executeCommand('vscode.open', entry.file, { selection });
  }

  #entries(ids: readonly string[]): readonly CaseEntry[] {
    return ids.flatMap((id) => this.parts.cases.get(uriOf(id)) ?? []);
  }

  async #state(): Promise<RunSummary> {
    const { cases, states } = this.parts;
    const listed = this.#uris.map(async (uri) => {
      const entry = cases.get(uri);
      const { state, run } = await states.get(uri);
      const isRunning = state.type === 'running';
      return entry === undefined || (run === undefined && !isRunning) ? [] : [{ entry, isRunning, run }];
    });
    return summaryState((await Promise.all(listed)).flat(), vscode.workspace.isTrusted);
  }

  /** One after the other, so that the last state to arrive is the latest. */
  #send(): void {
    this.#sent = this.#sent.then(async () => this.#page.patch({ shown: await this.#state() }));
  }
}

interface ListedRun {
  readonly entry: CaseEntry;
  readonly isRunning: boolean;
  /** The last run that ended. */
  readonly run: RunRecord | undefined;
}

/** The page's view of the last runs of some cases. */
function summaryState(runs: readonly ListedRun[], canRun: boolean): RunSummary {
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
    ...(masks.length > 0 && { mask: maskTitle(masks), written: { text: `mask = [${list}]`, place } }),
    cost: formatRetakeCost(sumCosts(cases.map(({ miss }) => miss.retake))),
    ids: cases.map(({ id }) => id),
  };
}

/** The URIs of cases as the page names them. */
function uriOf(id: string): vscode.Uri {
  return vscode.Uri.parse(id, true);
}
