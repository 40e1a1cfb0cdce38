import * as vscode from 'vscode';
import type { TapeFamily } from '../../core/model/tape';

const ICONS: Record<TapeFamily, string> = {
  conversation: 'comment-discussion',
  http: 'globe',
  session: 'terminal',
  script: 'checklist',
  frames: 'pulse',
  log: 'beaker',
  unreadable: 'warning',
};

/** The codicon of a family of tape formats. */
export function tapeIcon(family: TapeFamily): string {
  return ICONS[family];
}

/** The icon of a tape in a tree, in the colour of errors if the tape has any. */
export function tapeThemeIcon(family: TapeFamily, isBroken: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(tapeIcon(family), isBroken ? new vscode.ThemeColor('list.errorForeground') : undefined);
}
