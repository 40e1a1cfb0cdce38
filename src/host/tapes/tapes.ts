import type * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { TapeStore } from '../stores/tapeStore';
import { registerTapeDiagnostics } from './tapeDiagnostics';
import { registerTapeStatus } from './tapeStatus';
import { registerTranscriptEditor, type TranscriptParts } from './transcript/transcriptEditor';

/** Registers the transcript editor, and the problems and status of tapes. */
export function registerTapes({ tapes, ...parts }: TranscriptParts & { readonly tapes: TapeStore }): vscode.Disposable {
  const owned = new DisposableStore();
  const transcripts = owned.add(registerTranscriptEditor(parts));
  owned.add(registerTapeDiagnostics(tapes));
  owned.add(registerTapeStatus(tapes, transcripts, parts.log));
  return owned;
}
