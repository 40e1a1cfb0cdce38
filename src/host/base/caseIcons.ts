import * as vscode from 'vscode';
import { type CaseState, isOutdated } from '../../core/runs/caseState';

const icon = (name: string, color: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(name, new vscode.ThemeColor(color));

const ICONS: Record<CaseState['type'], vscode.ThemeIcon> = {
  invalid: icon('error', 'list.errorForeground'),
  running: new vscode.ThemeIcon('loading~spin'),
  unrun: icon('circle-outline', 'testing.iconUnset'),
  passed: icon('pass', 'testing.iconPassed'),
  failed: icon('error', 'testing.iconFailed'),
  review: icon('git-compare', 'gitDecoration.modifiedResourceForeground'),
};

/** Faded, as the Test Explorer's icons of outdated results are. */
const OUTDATED: Partial<Record<CaseState['type'], vscode.ThemeIcon>> = {
  passed: icon('pass', 'testing.iconPassed.retired'),
  failed: icon('error', 'testing.iconFailed.retired'),
};

/** The icon of a case in lists and in the status bar. */
export function caseIcon(state: CaseState): vscode.ThemeIcon {
  return (isOutdated(state) ? OUTDATED[state.type] : undefined) ?? ICONS[state.type];
}
