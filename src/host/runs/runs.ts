import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { requireTapeUri } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { Log } from '../base/log';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { RunStore } from '../stores/runs/runStore';
import type { WorkspaceStores } from '../stores/workspaceStores';
import { registerDriftCommands } from './drifts/driftCommands';
import type { ForkParts, Forks } from './forks/forks';
import { type KeyStore, registerKeyCommands } from './recordings/keyStore';
import type { PreparedRecording } from './recordings/prepareRecording';
import type { RecordingPlanner } from './recordings/recordingPlan';
import { RunSummaries } from './summary/runSummaries';
import { CaseRunner } from './testExplorer/caseRunner';
import { CaseTests } from './testExplorer/caseTests';
import type { TrialParts, Trials } from './trials/trials';

interface RunFeature extends vscode.Disposable {
  run(entries: readonly CaseEntry[], mode: 'replay' | 'record'): Promise<void>;
  checkStability(entry: CaseEntry): Promise<void>;
  tryModels(entries: readonly CaseEntry[]): Promise<void>;
  /** Replays a case, offline and free, whose result a decision has made untrue: nothing differs any more, or it passed and something does. */
  confirmByReplay(uri: vscode.Uri): Promise<void>;
}

/** Registers the Test Explorer and the commands of runs, and refreshes the review of a case after each run. */
export function registerRuns(parts: {
  readonly extensionUri: vscode.Uri;
  readonly engine: EngineClient;
  readonly stores: Pick<WorkspaceStores, 'cases' | 'runs' | 'reviews' | 'states'>;
  readonly keys: KeyStore;
  readonly log: Log;
}): RunFeature {
  const { extensionUri, engine, stores, keys, log } = parts;
  const { cases, runs, reviews, states } = stores;
  const owned = new DisposableStore();
  const prepare = async (chosen: readonly CaseEntry[], from?: number): Promise<PreparedRecording> => {
    const [{ prepareRecording }, planner] = await Promise.all([
      import('./recordings/prepareRecording'),
      planRecordings(),
    ]);
    return prepareRecording(planner, keys, chosen, from);
  };
  const planRecordings = async (): Promise<RecordingPlanner> =>
    new (await import('./recordings/recordingPlan')).RecordingPlanner(engine, cases, keys);
  const tests = owned.add(new CaseTests(cases, states, new CaseRunner(engine, runs, prepare), log));
  const summaries = owned.add(new RunSummaries({ extensionUri, cases, states, tests, log }));
  owned.add(registerDriftCommands(cases, states, tests, log));
  owned.add(registerKeyCommands(keys, log));
  owned.add(registerForks({ engine, cases, keys }, log));
  owned.add(
    vscode.window.registerWebviewPanelSerializer('tapedeck.stability', {
      deserializeWebviewPanel: async (panel, kept) => {
        const { restoreStability } = await import('./stability/stabilityPanel');
        await restoreStability(panel, kept, { extensionUri, cases });
      },
    }),
  );
  const trials = owned.add(new LoadedTrials({ extensionUri, engine, cases, keys, log }));
  owned.add(
    runs.onDidChange((uri) => {
      // A watcher misses files in a folder that was just created, such as `.tapedeck/runs` by the first run.
      if (runs.get(uri)?.type === 'finished') reviews.refresh(uri);
    }),
  );
  return {
    run: async (entries, mode) => {
      const results = await tests.run(entries, mode);
      const [only] = results;
      if (results.length > 1) void summaries.announce(results);
      else if (only !== undefined) void (await import('./drifts/driftNotice')).announceDrift(only);
      if (mode === 'replay') void offerRecording(entries, runs, (missing) => tests.run(missing, 'record'));
    },
    checkStability: async (entry) => {
      const { StabilityCheck } = await import('./stability/stabilityCheck');
      await new StabilityCheck(engine, keys, await planRecordings(), extensionUri).run(entry);
    },
    tryModels: async (entries) => (await trials.load()).start(entries),
    confirmByReplay: async (uri) => {
      const review = await reviews.get(uri);
      const entry = cases.get(uri);
      if (review === undefined || entry === undefined) return;
      const { state } = await states.get(uri);
      if (review.changes.length === 0 || state.type === 'passed') await tests.run([entry], 'replay');
    },
    dispose: () => owned.dispose(),
  };
}

/** Registers the commands of forks, which are loaded with the first. */
function registerForks(parts: ForkParts, log: Log): vscode.Disposable {
  let loading: Promise<Forks> | undefined;
  const forks = (): Promise<Forks> => {
    loading ??= import('./forks/forks').then((module) => new module.Forks(parts));
    return loading;
  };
  return vscode.Disposable.from(
    registerCommand('tapedeck.forkTape', log, async (argument, interaction) =>
      (await forks()).edit(requireTapeUri(argument, undefined), typeof interaction === 'number' ? interaction : 0),
    ),
    registerCommand('tapedeck.recordFork', log, async () => (await forks()).record()),
    { dispose: () => void loading?.then((opened) => opened.dispose()) },
  );
}

/** The trials, which are loaded when the first is shown. */
class LoadedTrials implements vscode.Disposable {
  readonly #registered: vscode.Disposable;
  #trials: Promise<Trials> | undefined;

  constructor(private readonly parts: TrialParts) {
    this.#registered = vscode.Disposable.from(
      registerCommand('tapedeck.showLastTrial', parts.log, async () => (await this.load()).showLast()),
      vscode.window.registerWebviewPanelSerializer('tapedeck.trial', {
        deserializeWebviewPanel: async (panel, kept) => (await this.load()).restore(panel, kept),
      }),
    );
  }

  load(): Promise<Trials> {
    this.#trials ??= import('./trials/trials').then((module) => new module.Trials(this.parts));
    return this.#trials;
  }

  dispose(): void {
    this.#registered.dispose();
    void this.#trials?.then((trials) => trials.dispose());
  }
}

/** Offers to record those of the cases whose replay found no tape. */
async function offerRecording(
  entries: readonly CaseEntry[],
  runs: RunStore,
  record: (entries: readonly CaseEntry[]) => Promise<unknown>,
): Promise<void> {
  const missing = entries.filter(({ uri, listed }) => {
    const run = runs.get(uri);
    const failures = run?.type === 'finished' ? run.result.failures : [];
    return listed?.recordedTape !== undefined && failures.some(({ missingTape }) => missingTape !== undefined);
  });
  const [first] = missing;
  if (first === undefined) return;
  const text =
    missing.length === 1
      ? t('{0} has no recording yet.', first.name)
      : t('{0} cases have no recording yet.', missing.length);
  const chosen = await vscode.window.showInformationMessage(text, t('Record'));
  if (chosen !== undefined) await record(missing);
}
