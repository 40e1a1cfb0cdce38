import type * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { ProjectSecrets } from '../stores/tapes/projectSecrets';
import type { TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';
import { registerOpenTapes } from './openTapes';
import { registerTapeDiagnostics } from './tapeDiagnostics';
import { registerTapeStatus } from './tapeStatus';
import { registerTranscriptEditor, type TranscriptParts } from './transcript/transcriptEditor';

interface TapeParts extends TranscriptParts {
  readonly tapes: TapeStore;
  readonly secrets: ProjectSecrets;
  readonly tapeTests: TapeTestStore;
}

/** Registers the transcript editor, and the problems and status of tapes. */
export function registerTapes({ tapes, secrets, tapeTests, ...parts }: TapeParts): vscode.Disposable {
  const owned = new DisposableStore();
  const transcripts = owned.add(registerTranscriptEditor(parts));
  owned.add(registerTapeDiagnostics(tapes, secrets));
  owned.add(registerOpenTapes(tapes, tapeTests));
  owned.add(
    registerCommand('tapedeck.describeFormat', parts.log, async (argument) => {
      const { describeFormat } = await import('./describeFormat');
      await describeFormat(
        argument.type === 'uri' ? argument.uri : argument.type === 'node' ? argument.node.resource : undefined,
      );
    }),
  );
  owned.add(registerTapeStatus(tapes, transcripts, parts.log));
  return owned;
}
