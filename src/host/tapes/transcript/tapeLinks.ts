import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { HumanError, reportError } from '../../base/humanError';
import type { Log } from '../../base/log';

const EXTENSION = 'tapedeck.tapedeck';

type Open = (uri: vscode.Uri, interaction?: number) => Promise<void>;

/**
 * Opens links such as `vscode://tapedeck.tapedeck/tape?file=tapes/refund.tape.json&interaction=3`: `file` is relative to a
 * workspace folder, `interaction` counts from 1. Links are untrusted, so they open only files of the workspace.
 */
export function registerTapeLinks(open: Open, log: Log): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async (link) => {
      try {
        const wanted = parseTapeLink(link.path, link.query);
        await open(await inWorkspace(wanted.file), wanted.interaction);
      } catch (error) {
        void reportError(error, log);
      }
    },
  });
}

/** The link to an interaction (from 0) of a tape in the workspace. */
export function tapeLink(tape: vscode.Uri, interaction: number): string {
  const file = vscode.workspace.asRelativePath(tape, false);
  if (file.startsWith('/') || /^[a-z]:/i.test(file))
    throw new HumanError(t('This tape is outside the workspace, so it cannot be linked to. Open its folder first.'));
  const query = `file=${encodeURIComponent(file).replaceAll('%2F', '/')}&interaction=${interaction + 1}`;
  return `${vscode.env.uriScheme}://${EXTENSION}/tape?${query}`;
}

function parseTapeLink(path: string, query: string): { readonly file: string; readonly interaction?: number } {
  const members = new URLSearchParams(query);
  const file = members.get('file') ?? '';
  const number = Number(members.get('interaction') ?? Number.NaN);
  const isInside = file !== '' && !file.startsWith('/') && !/^[a-z]:|\\|(^|\/)\.\.(\/|$)/i.test(file);
  if (path !== '/tape' || !isInside)
    throw new HumanError(t('This link does not name a tape. It should end in /tape?file=FOLDER/NAME&interaction=1.'));
  return { file, ...(Number.isSafeInteger(number) && number > 0 ? { interaction: number - 1 } : {}) };
}

async function inWorkspace(file: string): Promise<vscode.Uri> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const uri = vscode.Uri.joinPath(folder.uri, file);
    const found = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => type === vscode.FileType.File,
      () => false,
    );
    if (found) return uri;
  }
  throw new HumanError(
    t('{0} is not in this workspace. Open the folder that contains it, then open the link again.', file),
  );
}
