import * as vscode from 'vscode';
import { OPTIONAL_VIEW_TYPE, PACKED_VIEW_TYPE, TRANSCRIPT_VIEW_TYPE } from '../../base/transcriptViews';

/**
 * Opens a tape as a transcript: reveals one that is open, turns the tab of its text in the active group into one, or else
 * opens a new tab. So no group has two tabs of the same name.
 */
export async function openAsTranscript(uri: vscode.Uri): Promise<void> {
  const isTranscript = (input: unknown): boolean => isTranscriptTab(input) && isOf(uri, input.uri);
  const isText = (input: unknown): boolean => input instanceof vscode.TabInputText && isOf(uri, input.uri);
  const viewType = await viewTypeOf(uri);
  const shown = columnWith(isTranscript);
  if (shown === undefined && (await activateTab(uri, isText))) await reopenActiveWith(viewType);
  else await vscode.commands.executeCommand('vscode.openWith', uri, viewType, shown);
}

/** Opens a tape as text, in the same way: the tab of its transcript in the active group becomes the text. */
export async function openAsText(uri: vscode.Uri): Promise<void> {
  const isTranscript = (input: unknown): boolean => isTranscriptTab(input) && isOf(uri, input.uri);
  const isText = (input: unknown): boolean => input instanceof vscode.TabInputText && isOf(uri, input.uri);
  const shown = columnWith(isText);
  if (shown === undefined && (await activateTab(uri, isTranscript))) await reopenActiveWith('default');
  else await vscode.commands.executeCommand('vscode.openWith', uri, 'default', shown);
}

function isOf(uri: vscode.Uri, other: vscode.Uri): boolean {
  return other.toString() === uri.toString();
}

/** The column of a group with such a tab, the active one first; undefined if there is none. */
function columnWith(isWanted: (input: unknown) => boolean): vscode.ViewColumn | undefined {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  return [activeTabGroup, ...all].find(({ tabs }) => tabs.some(({ input }) => isWanted(input)))?.viewColumn;
}

/** Makes such a tab of the active group the active one. Returns false if there is none. */
async function activateTab(uri: vscode.Uri, isWanted: (input: unknown) => boolean): Promise<boolean> {
  const { tabs, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const input = tabs.find((tab) => isWanted(tab.input))?.input;
  if (input === undefined) return false;
  const viewType = isTranscriptTab(input) ? input.viewType : 'default';
  await vscode.commands.executeCommand('vscode.openWith', uri, viewType, viewColumn);
  return true;
}

/** Turns the active editor into another one of the same file, in the same tab. */
async function reopenActiveWith(viewType: string): Promise<void> {
  await vscode.commands.executeCommand('reopenActiveEditorWith', viewType);
}

function isTranscriptTab(input: unknown): input is vscode.TabInputCustom {
  return input instanceof vscode.TabInputCustom && input.viewType.startsWith(TRANSCRIPT_VIEW_TYPE);
}

/** VS Code's limit for what it shares with extensions. */
const MAX_SHARED_BYTES = 50 * 1024 * 1024;

async function viewTypeOf(uri: vscode.Uri): Promise<string> {
  if (/\.(gz|eval)$/.test(uri.path)) return PACKED_VIEW_TYPE;
  if ((await sizeOf(uri)) > MAX_SHARED_BYTES) return PACKED_VIEW_TYPE;
  return /\.tape\.jsonl?$/.test(uri.path) ? TRANSCRIPT_VIEW_TYPE : OPTIONAL_VIEW_TYPE;
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
