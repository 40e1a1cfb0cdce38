import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';
import type { ReportDocuments } from '../base/reportDocuments';
import type { ReviewCalls } from '../engine/engineReviews';

/** The last step of a review: accepted files go into the index, rejected changes out of the files. */
export function registerGitCommands(reviews: ReviewCalls, reports: ReportDocuments, log: Log): vscode.Disposable {
  const actions = () => import('./gitActions');
  return vscode.Disposable.from(
    registerCommand('tapedeck.stageAccepted', log, async () => (await actions()).stageAccepted(reviews)),
    registerCommand('tapedeck.restoreRejected', log, async () => (await actions()).restoreRejected(reviews)),
    registerCommand('tapedeck.changesSince', log, async () => (await actions()).showChangesSince(reviews, reports)),
  );
}
