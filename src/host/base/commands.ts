import * as vscode from 'vscode';
import { type CommandArgument, parseCommandArgument } from './commandArguments';
import { reportError } from './humanError';
import type { Log } from './log';

/** Every command of the extension; a test holds package.json to this list. */
export const COMMAND_IDS = [
  'tapedeck.replayCase',
  'tapedeck.recordCase',
  'tapedeck.recordFromHere',
  'tapedeck.forkFromHere',
  'tapedeck.forkTape',
  'tapedeck.recordFork',
  'tapedeck.addMasks',
  'tapedeck.addMasks.date',
  'tapedeck.addMasks.timestamp',
  'tapedeck.addMasks.uuid',
  'tapedeck.addMasks.provider-id',
  'tapedeck.addMasks.temp-path',
  'tapedeck.addMasks.port',
  'tapedeck.reviewCase',
  'tapedeck.openReview',
  'tapedeck.acceptReview',
  'tapedeck.rejectReview',
  'tapedeck.undoReview',
  'tapedeck.stageReview',
  'tapedeck.openReviewDiff',
  'tapedeck.openReviewFile',
  'tapedeck.refreshReviews',
  'tapedeck.acceptBaseline',
  'tapedeck.createBaseline',
  'tapedeck.openAsReview',
  'tapedeck.checkStability',
  'tapedeck.tryModels',
  'tapedeck.showLastTrial',
  'tapedeck.stageAccepted',
  'tapedeck.restoreRejected',
  'tapedeck.changesSince',
  'tapedeck.compareWith',
  'tapedeck.compareSelected',
  'tapedeck.openTake',
  'tapedeck.compareTake',
  'tapedeck.restoreTake',
  'tapedeck.deleteTakes',
  'tapedeck.newCase',
  'tapedeck.newCaseForTape',
  'tapedeck.makeCaseOfRun',
  'tapedeck.replayAll',
  'tapedeck.showRunSummary',
  'tapedeck.fixDrifts',
  'tapedeck.allowAgentCase',
  'tapedeck.withdrawAgentCases',
  'tapedeck.openTranscript',
  'tapedeck.openTapeOfCase',
  'tapedeck.openTapeAsText',
  'tapedeck.describeFormat',
  'tapedeck.openTranscriptAsText',
  'tapedeck.exportTranscript',
  'tapedeck.showTranscriptHelp',
  'tapedeck.openReviewAsText',
  'tapedeck.showReviewHelp',
  'tapedeck.tapeDetails',
  'tapedeck.replayTest',
  'tapedeck.debugTest',
  'tapedeck.removeOrphans',
  'tapedeck.recordTest',
  'tapedeck.openTestOfTape',
  'tapedeck.openArtifact',
  'tapedeck.searchTapes',
  'tapedeck.searchAgain',
  'tapedeck.clearSearch',
  'tapedeck.showOverview',
  'tapedeck.filter',
  'tapedeck.clearFilter',
  'tapedeck.refresh',
  'tapedeck.setKey',
  'tapedeck.removeKey',
  'tapedeck.recordScript',
  'tapedeck.recordCommand',
  'tapedeck.saveLastRecording',
  'tapedeck.holdNext',
  'tapedeck.continueHeld',
  'tapedeck.stepHeld',
  'tapedeck.stopHeld',
  'tapedeck.changeHook',
  'tapedeck.terminalMode',
  'tapedeck.newTerminal',
  'tapedeck.openSample',
  'tapedeck.showLog',
  'tapedeck.openManual',
  'tapedeck.openManualPage',
  'tapedeck.selfCheck',
] as const;

export type CommandId = (typeof COMMAND_IDS)[number];

/** Registers a command and reports its errors, once. Its first argument is parsed; handlers check the others themselves. */
export function registerCommand(
  id: CommandId,
  log: Log,
  handler: (argument: CommandArgument, ...rest: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: unknown, ...rest: readonly unknown[]) => {
    try {
      return await handler(parseCommandArgument(argument), ...rest);
    } catch (error) {
      void reportError(error, log);
      return undefined;
    }
  });
}
