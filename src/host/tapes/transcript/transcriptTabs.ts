import * as vscode from 'vscode';

/** The custom editor that shows a tape as a conversation; also the `activeCustomEditorId` of `when` clauses. */
export const TRANSCRIPT_VIEW_TYPE = 'tapedeck.transcript';
/** The same editor for files that are not always tapes, such as YAML, which it must not take over. */
export const OPTIONAL_VIEW_TYPE = 'tapedeck.transcript.optional';
/** The same for gzipped and zipped tapes, and for those too large for VS Code to give an extension their text. */
export const PACKED_VIEW_TYPE = 'tapedeck.transcript.packed';

/** The column in which the transcript of a tape is already open, so that it is not opened a second time. */
export function transcriptColumn(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const hasTranscript = ({ tabs }: vscode.TabGroup): boolean =>
    tabs.some(({ input }) => isTranscriptTab(input) && input.uri.toString() === uri.toString());
  const { activeTabGroup, all } = vscode.window.tabGroups;
  return hasTranscript(activeTabGroup) ? undefined : all.find(hasTranscript)?.viewColumn;
}

function isTranscriptTab(input: unknown): input is vscode.TabInputCustom {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith(TRANSCRIPT_VIEW_TYPE);
}

/** VS Code's limit for what it shares with extensions. */
const MAX_SHARED_BYTES = 50 * 1024 * 1024;

export async function viewTypeOf(uri: vscode.Uri): Promise<string> {
  if (/\.(gz|eval)$/.test(uri.path)) return PACKED_VIEW_TYPE;
  if ((await sizeOf(uri)) > MAX_SHARED_BYTES) return PACKED_VIEW_TYPE;
  return uri.path.endsWith('.tape.json') ? TRANSCRIPT_VIEW_TYPE : OPTIONAL_VIEW_TYPE;
}

/** The size of a file; 0 if there is none, which the editor then reports. */
async function sizeOf(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return 0;
    throw error;
  }
}

/** The URI of the active text editor or tab. A packed file has no text editor, but it has a tab. */
export function activeTextUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return vscode.window.activeTextEditor?.document.uri ?? (input instanceof vscode.TabInputText ? input.uri : undefined);
}

/** The tape of the active transcript, if there is one. */
export function activeTranscript(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return isTranscriptTab(input) ? input.uri : undefined;
}
