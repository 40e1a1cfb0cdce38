import type * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { TapeStore } from '../stores/tapeStore';
import { type KnownSecrets, ProjectSecrets } from './projectSecrets';
import { registerTapeDiagnostics } from './tapeDiagnostics';
import { registerTapeStatus } from './tapeStatus';
import { registerTranscriptEditor, type TranscriptParts } from './transcript/transcriptEditor';

export interface TapeParts extends TranscriptParts {
  readonly tapes: TapeStore;
  /** Absent where no secrets are known, as in a browser. */
  readonly secrets?: KnownSecrets;
}

/** Registers the transcript editor, and the problems and status of tapes. */
export function registerTapes({ tapes, secrets, ...parts }: TapeParts): vscode.Disposable {
  const owned = new DisposableStore();
  const transcripts = owned.add(registerTranscriptEditor(parts));
  owned.add(registerTapeDiagnostics(tapes, new ProjectSecrets(secrets)));
  owned.add(registerTapeStatus(tapes, transcripts, parts.log));
  return owned;
}
