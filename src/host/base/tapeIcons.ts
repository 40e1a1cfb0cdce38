import * as vscode from 'vscode';
import type { TapeFamily } from '../../core/model/tape';

const ICONS: Record<TapeFamily, string> = {
  conversation: 'comment-discussion',
  http: 'globe',
  session: 'terminal',
  script: 'checklist',
  frames: 'pulse',
  log: 'beaker',
};

/** The name of a codicon for tapes of a family of formats. */
export function tapeIcon(family: TapeFamily): string {
  return ICONS[family];
}

/** The icon of a tape in a tree; in the colour of errors where the tape has some. */
export function tapeThemeIcon(family: TapeFamily, isBroken: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(tapeIcon(family), isBroken ? new vscode.ThemeColor('list.errorForeground') : undefined);
}
