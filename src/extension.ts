import * as vscode from 'vscode';
import { registerAgentTools } from './host/agentTools/agentTools';
import { registerCommand } from './host/base/commands';
import { Log } from './host/base/log';
import { ReportDocuments } from './host/base/reportDocuments';
import { registerCaseCommands } from './host/cases/caseCommands';
import { registerCaseDiagnostics } from './host/cases/caseDiagnostics';
import { registerCaseLenses } from './host/cases/caseLenses';
import { CaseTree } from './host/cases/caseTree';
import { registerCaseWriting } from './host/cases/writing/caseWriting';
import { registerGitCommands } from './host/git/gitCommands';
import { registerPytest } from './host/pytest/pytest';
import { registerReview } from './host/review/review';
import { registerAcceptBaseline } from './host/runs/acceptBaseline';
import { CaseRunner, requireTrust } from './host/runs/caseRunner';
import { CaseTests } from './host/runs/caseTests';
import { registerDriftActions } from './host/runs/driftActions';
import { EngineClient } from './host/runs/engineClient';
import { EngineDecider } from './host/runs/engineDecider';
import { EngineReviews } from './host/runs/engineReviews';
import { KeyStore, registerKeyCommands } from './host/runs/keyStore';
import { askLanguageModel } from './host/runs/languageModel';
import { StabilityCheck } from './host/runs/stabilityCheck';
import { DriftStore } from './host/stores/driftStore';
import { PlayingStore } from './host/stores/playingStore';
import { ReviewQueue } from './host/stores/reviewQueue';
import { WorkspaceStores } from './host/stores/workspaceStores';
import { startReading } from './host/tapes/readingThread';
import { registerTapeDiagnostics } from './host/tapes/tapeDiagnostics';
import { registerTapeStatus } from './host/tapes/tapeStatus';
import { registerTranscriptEditor } from './host/tapes/transcriptEditor';
import { offerIgnore } from './host/welcome/offerIgnore';
import { openSampleProject } from './host/welcome/sampleProject';

/** Composition only: builds the stores, hands them to the features. Nothing is read, searched or started here. */
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
  own(registerDriftActions(cases, tests, log));
  const reports = own(new ReportDocuments());
  const stability = new StabilityCheck(engine, keys, reports);
  const decider = new EngineDecider(engine, requireTrust, (uri) => void confirmByReplay(uri));
  own(registerAcceptBaseline(reviews, decider, log));
  const files = new EngineReviews(engine, requireTrust);
  own(registerGitCommands(files, reports, log));
  const queue = own(new ReviewQueue(files.list, folders));
  const review = own(registerReview({ extensionUri, store: reviews, decider, files, queue, log }));
  const playing = own(new PlayingStore(runs, cases));
  const drifts = own(new DriftStore(runs));
  const { earlierNumbers: earlier } = files;
  const transcripts = own(registerTranscriptEditor({ context, log, playing, drifts, earlier, startReading }));
  const tree = own(new CaseTree(stores));
  const view = own(vscode.window.createTreeView('tapedeck.cases', { treeDataProvider: tree, showCollapseAll: true }));
  own(registerCaseDiagnostics(cases));
  own(registerCaseWriting(cases, tapes));
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

  /** When nothing differs any more, a replay, which is offline and free, turns the case green where it shows. */
  async function confirmByReplay(uri: vscode.Uri): Promise<void> {
    const review = await reviews.get(uri);
    const entry = cases.get(uri);
    if (review?.changes.length === 0 && entry) await tests.run([entry], 'replay');
  }

  function afterRun(uri: vscode.Uri): void {
    if (runs.get(uri)?.type !== 'finished') return;
    // A watcher misses files in a folder that has just been made, as `.tapedeck/runs` is by the first run.
    reviews.refresh(uri);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder) void offerIgnore(folder.uri, context.workspaceState);
  }
}
