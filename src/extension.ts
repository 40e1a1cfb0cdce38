import * as vscode from 'vscode';
import { registerAgentTools } from './host/agentTools/agentTools';
import { registerCommand } from './host/base/commands';
import { Log } from './host/base/log';
import { ReportDocuments } from './host/base/reportDocuments';
import { requireTrust } from './host/base/trust';
import { registerCaseCommands } from './host/cases/caseCommands';
import { registerCaseLenses } from './host/cases/caseLenses';
import { CaseTree } from './host/cases/caseTree';
import { registerCaseDiagnostics, registerCaseLanguage } from './host/cases/language/caseLanguage';
import { EngineClient } from './host/engine/engineClient';
import { EngineReviews, previousTotalsOf } from './host/engine/engineReviews';
import { registerPytest } from './host/pytest/pytest';
import { registerGitCommands } from './host/review/gitCommands';
import { registerReview } from './host/review/review';
import { CaseRunner } from './host/runs/caseRunner';
import { CaseTests } from './host/runs/caseTests';
import { registerAcceptDifference, registerDriftCommands } from './host/runs/failureCommands';
import { KeyStore, registerKeyCommands } from './host/runs/keyStore';
import { askLanguageModel } from './host/runs/languageModel';
import { StabilityCheck } from './host/runs/stabilityCheck';
import { DriftStore } from './host/stores/driftStore';
import { ReviewQueue } from './host/stores/reviewQueue';
import { RunProgressStore } from './host/stores/runProgressStore';
import { WorkspaceStores } from './host/stores/workspaceStores';
import { startReader } from './host/tapes/readerThread';
import { registerTapeDiagnostics } from './host/tapes/tapeDiagnostics';
import { registerTapeStatus } from './host/tapes/tapeStatus';
import { registerTranscriptEditor } from './host/tapes/transcript/transcriptEditor';
import { offerGitignore, openSampleProject } from './host/welcome/welcome';

/** Creates the stores and registers the features. Nothing is read, searched or started here. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, subscriptions } = context;
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    subscriptions.push(disposable);
    return disposable;
  };

  const log = own(new Log());
  const stores = own(new WorkspaceStores());
  const { folders, cases, tapes, pytests, runs, reviews } = stores;
  const keys = new KeyStore(context.secrets, context.globalState);
  const editor = { chat: askLanguageModel };
  const engine = own(new EngineClient(vscode.Uri.joinPath(extensionUri, 'dist', 'engine.js').fsPath, log, editor));
  const tests = own(new CaseTests(cases, new CaseRunner(engine, runs, keys), log));
  own(registerDriftCommands(cases, tests, log));
  const reports = own(new ReportDocuments());
  const stability = new StabilityCheck(engine, keys, reports);
  const decisions = new EngineReviews(engine, requireTrust, (uri) => void confirmByReplay(uri));
  own(registerAcceptDifference(reviews, decisions, log));
  own(registerGitCommands(decisions, reports, log));
  const queue = own(new ReviewQueue((root) => decisions.reviews({ root }), folders));
  const review = own(registerReview({ extensionUri, store: reviews, reviews: decisions, queue, log }));
  const playing = own(new RunProgressStore(runs, cases));
  const drifts = own(new DriftStore(runs));
  const readPreviousTotals = previousTotalsOf(decisions);
  const transcripts = own(
    registerTranscriptEditor({ context, log, playing, drifts, readPreviousTotals, startReading: startReader }),
  );
  const tree = own(new CaseTree(stores));
  const view = own(vscode.window.createTreeView('tapedeck.cases', { treeDataProvider: tree, showCollapseAll: true }));
  own(registerCaseDiagnostics(cases));
  own(registerCaseLanguage(cases, tapes));
  own(registerTapeDiagnostics(tapes));
  own(registerTapeStatus(tapes, transcripts, log));
  own(registerPytest({ tests: pytests, tapes, view, log, requireTrust }));
  own(registerCaseLenses(cases, reviews));
  const starts = { run: tests.run.bind(tests), checkStability: stability.run.bind(stability) };
  own(registerCaseCommands(stores, tree, starts, (uri) => review.open({ about: 'run', uri }), log));
  own(registerAgentTools((params, signal) => engine.call('callTool', params, { signal }), requireTrust));
  own(registerKeyCommands(keys, log));
  own(registerCommand('tapedeck.openSample', log, () => openSampleProject(extensionUri)));
  own(registerCommand('tapedeck.showLog', log, () => log.show()));
  own(runs.onDidChange((uri) => afterRun(uri)));

  /** Replays a case, offline and free, once nothing differs from its baseline, so that its state becomes "passed". */
  async function confirmByReplay(uri: vscode.Uri): Promise<void> {
    const review = await reviews.get(uri);
    const entry = cases.get(uri);
    if (review?.changes.length === 0 && entry) await tests.run([entry], 'replay');
  }

  function afterRun(uri: vscode.Uri): void {
    if (runs.get(uri)?.type !== 'finished') return;
    // A watcher misses files in a folder that was just created, such as `.tapedeck/runs` by the first run.
    reviews.refresh(uri);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder) void offerGitignore(folder.uri, context.workspaceState);
  }
}
