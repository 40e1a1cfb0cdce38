import * as vscode from 'vscode';
import type { AgentPermissions } from './host/agentTools/agentPermissions';
import { registerAgentTools } from './host/agentTools/agentTools';
import type { CallTool } from './host/agentTools/engineTool';
import './host/base/language';
import { Log } from './host/base/log';
import { ReportDocuments } from './host/base/reportDocuments';
import { requireTrust } from './host/base/trust';
import type { AgentCases } from './host/cases/caseCommands';
import { registerCaseLenses } from './host/cases/caseLenses';
import { registerCases } from './host/cases/cases';
import { EngineClient } from './host/engine/engineClient';
import { EngineReviews, previousTotalsOf } from './host/engine/engineReviews';
import { registerComparisons } from './host/review/comparisons';
import { registerGitCommands } from './host/review/gitCommands';
import { registerReview } from './host/review/review';
import { registerCreateBaseline } from './host/runs/baselineCommand';
import { editorCalls } from './host/runs/editorCalls';
import { registerInterruptedRecordings } from './host/runs/recordings/interruptedRecordings';
import { KeyStore } from './host/runs/recordings/keyStore';
import { registerRuns } from './host/runs/runs';
import { registerAcceptDifference } from './host/runs/testExplorer/acceptDifference';
import { registerSearch } from './host/search/search';
import { registerSessions } from './host/sessions/sessions';
import { DriftStore } from './host/stores/cases/driftStore';
import { RunProgressStore } from './host/stores/cases/runProgressStore';
import { ReviewQueue } from './host/stores/reviews/reviewQueue';
import { TakeStore } from './host/stores/takes/takeStore';
import { WorkspaceStores } from './host/stores/workspaceStores';
import { registerTakes } from './host/takes/takes';
import { readDisk, startLister, startReader } from './host/tapes/readerThread';
import { registerTapes } from './host/tapes/tapes';
import { registerTapeTests } from './host/tapeTests/tapeTests';
import { registerSelfCheck } from './host/welcome/selfCheck';
import { registerWelcome, welcomeToSample } from './host/welcome/welcome';

/** Creates the stores and registers the features. Nothing is read, searched or started here. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, subscriptions } = context;
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    subscriptions.push(disposable);
    return disposable;
  };
  const log = own(new Log());
  const keys = new KeyStore(context.secrets, context.globalState);
  const engine = own(new EngineClient(vscode.Uri.joinPath(extensionUri, 'dist', 'engine.js').fsPath, log, editorCalls));
  const listTracked = async (root: string): Promise<readonly string[]> => {
    requireTrust();
    return engine.call('trackedState', { root });
  };
  const reader = vscode.Uri.joinPath(extensionUri, 'dist', 'tapeReader.js');
  const takes = own(new TakeStore((params) => engine.call('takes', params)));
  const stores = own(
    new WorkspaceStores(listTracked, {
      secrets: { environment: process.env, stored: () => keys.all() },
      readDisk,
      startLister: () => startLister(reader.fsPath),
      takes,
      openListings: async () => (await import('./host/stores/tapes/listingCache')).listingsOf(context, reader),
    }),
  );
  const { folders, cases, tapes, tapeTests, reviews } = stores;
  const runs = own(registerRuns({ extensionUri, engine, stores, keys, log }));
  const decisions = new EngineReviews(engine, requireTrust, (uri) => void runs.confirmByReplay(uri));
  own(registerInterruptedRecordings(engine, log));
  own(registerAcceptDifference({ store: reviews, states: stores.states, reviews: decisions }, log));
  own(registerCreateBaseline(cases, reviews, decisions, log));
  const making = { engine, reports: own(new ReportDocuments()) };
  own(registerGitCommands(decisions, making.reports, log));
  const queue = own(new ReviewQueue(decisions, folders));
  own(queue.onDidChange(() => tapes.name('reviews', queue.tapes())));
  const review = own(registerReview({ extensionUri, store: reviews, reviews: decisions, queue, log }));
  const live = { playing: own(new RunProgressStore(stores.runs, cases)), drifts: own(new DriftStore(stores.states)) };
  const runParts = { ...live, readPreviousTotals: previousTotalsOf(decisions), startReading: startReader };
  const { holds } = own(registerSessions({ context, engine, stores, keys, log }));
  own(registerTapes({ context, tapes, secrets: stores.secrets, tapeTests, holds, log, ...runParts }));
  const permissions = async (): Promise<AgentPermissions> =>
    new (await import('./host/agentTools/agentPermissions')).AgentPermissions(engine);
  const agents: AgentCases = {
    allow: async (entry) => (await permissions()).allow(entry),
    withdraw: async (entry) => (await permissions()).withdraw(entry),
  };
  own(registerCaseLenses(cases, stores.states, tapes));
  const { selected } = own(registerCases({ stores, runs, agents, review: review.openRun, making, log }));
  own(registerSearch({ extensionUri, engine, tapes, storedKeys: () => keys.stored(), log }));
  own(registerComparisons({ reviews: decisions, tapes, own: stores.own, selected, open: review.open, log }));
  own(registerTakes({ takes, reviews: decisions, selected, openReview: review.open, log }));
  const loadTestRuns = () => import('./host/tapeTests/testRuns');
  own(registerTapeTests({ context, loadRuns: loadTestRuns, tests: tapeTests, tapes, log, requireTrust }));
  const callTool: CallTool = async (params, signal) =>
    engine.call('callTool', { ...params, keys: await keys.stored() }, { signal });
  own(registerAgentTools(callTool, permissions, requireTrust));
  const welcome = { context, engine, log };
  own(registerWelcome(welcome, stores.runs));
  own(registerSelfCheck({ ...making, storedKeys: () => keys.stored() }, log));
  void welcomeToSample(welcome, cases, (entries) => runs.run(entries, 'replay'));
}
