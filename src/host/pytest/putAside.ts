import * as vscode from 'vscode';
import { takesFolder } from '../../core/project/layout';
import { isThere } from '../base/isThere';

/** A tape that is out of the way while it is recorded anew. */
export interface PutAside {
  /** After a run that recorded a new tape: the old one stays among the takes. After any other it takes its place again. */
  settle(succeeded: boolean): Promise<'recorded' | 'restored'>;
}

/** Moves a tape to the takes of its project, so that a recorder which records only where there is none does. */
export async function putAside(tape: vscode.Uri, folder: vscode.WorkspaceFolder, now = new Date()): Promise<PutAside> {
  const path = vscode.workspace.asRelativePath(tape, false);
  const stamp = now.toISOString().replaceAll(':', '-');
  const take = vscode.Uri.joinPath(folder.uri, takesFolder(path), `${stamp}${ending(path)}`);
  await vscode.workspace.fs.rename(tape, take);
  return {
    settle: async (succeeded) => {
      const isRecorded = succeeded && (await isThere(tape));
      // CheckAgent saves a cassette even where the test has failed: such a one is not kept.
      if (!isRecorded) await vscode.workspace.fs.rename(take, tape, { overwrite: true });
      return isRecorded ? 'recorded' : 'restored';
    },
  };
}

function ending(path: string): string {
  return /\.\w+(?:\.gz)?$/.exec(path)?.[0] ?? '';
}
