import * as vscode from 'vscode';
import { registerCommand } from './host/base/commands';
import { HumanError } from './host/base/humanError';
import './host/base/language';
import { Log } from './host/base/log';
import { registerCases } from './host/cases/cases';
import type { ReviewCalls } from './host/engine/engineReviews';
import { registerReview } from './host/review/review';
import { ReviewQueue } from './host/stores/reviews/reviewQueue';
import { WorkspaceStores } from './host/stores/workspaceStores';
import { registerTapes } from './host/tapes/tapes';
import { registerTapeTests } from './host/tapeTests/tapeTests';
import { registerWelcome } from './host/welcome/welcome';

/** Registers the features for browsers, such as vscode.dev. There is no engine, so everything can only be viewed. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, subscriptions } = context;
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    subscriptions.push(disposable);
    return disposable;
  };

  const log = own(new Log());
  const stores = own(new WorkspaceStores(needsEngine));
  const { folders, tapes, tapeTests, reviews } = stores;

  const queue = own(new ReviewQueue(decisions, folders));
  const review = own(registerReview({ extensionUri, store: reviews, reviews: decisions, queue, log }));
  own(registerTapes({ context, tapes, secrets: stores.secrets, tapeTests, log }));
  const runs = { run: needsEngine, checkStability: needsEngine, tryModels: needsEngine };
  const agents = { allow: needsEngine, withdraw: needsEngine };
  own(registerCases({ stores, runs, agents, review: review.openRun, log }));
  own(registerTapeTests({ context, tests: tapeTests, tapes, log, requireTrust: refuse }));
  for (const id of NEEDING_ENGINE) own(registerCommand(id, log, needsEngine));
  for (const id of ['tapedeck.replay', 'tapedeck.record'])
    own(vscode.window.registerTerminalProfileProvider(id, { provideTerminalProfile: needsEngine }));
  own(registerWelcome({ context, log }));
}

/** Commands that do nothing but what only the engine does. */
const NEEDING_ENGINE = [
  'tapedeck.searchTapes',
  'tapedeck.searchAgain',
  'tapedeck.clearSearch',
  'tapedeck.showOverview',
  'tapedeck.setKey',
  'tapedeck.removeKey',
  'tapedeck.stageAccepted',
  'tapedeck.restoreRejected',
  'tapedeck.changesSince',
  'tapedeck.compareWith',
  'tapedeck.compareSelected',
  'tapedeck.showLastTrial',
  'tapedeck.openTake',
  'tapedeck.compareTake',
  'tapedeck.restoreTake',
  'tapedeck.deleteTakes',
  'tapedeck.forkTape',
  'tapedeck.recordFork',
  'tapedeck.makeCaseOfRun',
  'tapedeck.selfCheck',
] as const;

/** In a browser, reviews are shown but not decided: only the engine writes baselines. */
const decisions: ReviewCalls = {
  canDecide: false,
  reviews: needsEngine,
  trackedState: needsEngine,
  review: needsEngine,
  changeTexts: needsEngine,
  previousTotals: needsEngine,
  decide: needsEngine,
  decideTogether: needsEngine,
  lastDecision: needsEngine,
  undo: needsEngine,
  stage: needsEngine,
  reapplyRejections: needsEngine,
  changesSince: needsEngine,
  comparison: needsEngine,
  comparisonTexts: needsEngine,
  earlierVersions: needsEngine,
  takes: needsEngine,
  restoreTake: needsEngine,
  undoRestore: needsEngine,
  deleteTakes: needsEngine,
};

async function needsEngine(): Promise<never> {
  return refuse();
}

function refuse(): never {
  throw new HumanError(
    'In the browser, Tapedeck only shows cases, tapes and reviews. To run, record or accept, open the folder in VS Code on a computer or in a remote window.',
  );
}
