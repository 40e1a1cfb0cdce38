import * as vscode from 'vscode';
import { takesFolder, takeTime } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { shape, text, where } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { shownTime } from './shownTime';
import { TAKE_SCHEME } from './transcriptViews';

/** A kept take of a tape. */
export interface TakeOfTape {
  readonly tape: vscode.Uri;
  /** Its file name. */
  readonly take: string;
}

const WRITTEN = shape({ tape: text(), take: where(text(), (take) => /^[\dT.-]+Z\.json$/.test(take)) });

/** The document of a take. Its name contains the tape, and the time when the take was replaced. */
export function takeUri({ tape, take }: TakeOfTape): vscode.Uri {
  const slash = tape.path.lastIndexOf('/') + 1;
  const [, stem = '', extensions = ''] = /^(.[^.]*)(.*)$/.exec(tape.path.slice(slash)) ?? [];
  const path = `${tape.path.slice(0, slash)}${stem} (${t('take of {0}', shownTime(takeTime(take)))})${extensions}`;
  return vscode.Uri.from({ scheme: TAKE_SCHEME, path, query: JSON.stringify({ tape: tape.toString(), take }) });
}

/** The take that a document shows; undefined for any other document, since anyone can open one of our scheme. */
export function takeOf({ scheme, query }: vscode.Uri): TakeOfTape | undefined {
  if (scheme !== TAKE_SCHEME) return undefined;
  try {
    const written = parseDocument(WRITTEN, query);
    return written && { tape: vscode.Uri.parse(written.tape, true), take: written.take };
  } catch {
    // Its tape is at no address.
    return undefined;
  }
}

/** The folder of the takes of a tape; undefined for a tape outside of the workspace. */
export function takesFolderOf(tape: vscode.Uri): vscode.Uri | undefined {
  const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
  if (root === undefined) return undefined;
  const path = vscode.workspace.asRelativePath(tape, false).replaceAll(':', '_');
  return vscode.Uri.joinPath(root, takesFolder(path));
}
