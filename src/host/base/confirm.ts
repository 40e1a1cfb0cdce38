import * as vscode from 'vscode';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { t } from '../../core/text/l10n';

/** What the user is asked to allow, in full. */
export interface Question {
  readonly title: string;
  /** The button. */
  readonly action: string;
  readonly sections: readonly QuestionSection[];
  readonly isWarning: boolean;
}

export interface QuestionSection {
  readonly title?: string;
  /** One-line texts; see `oneLine`. */
  readonly lines: readonly string[];
}

/** A modal dialog of more rows does not fit on every screen; a list can be scrolled. */
const MODAL_ROWS = 24;
/** What fits into a row of a list, which is cut off at its end. */
const ROW_LENGTH = 75;

/** Asks in a modal dialog or, where that would be too long, in a list. False when the user declines. */
export async function confirm(question: Question): Promise<boolean> {
  const { title, action, sections, isWarning } = question;
  const rows = sections.flatMap(({ lines }) => lines.flatMap(wrapped));
  if (rows.length > MODAL_ROWS) return confirmInList(question);
  const show = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const texts = sections.map((section) => [...(section.title ? [section.title] : []), ...section.lines].join('\n'));
  return (await show(title, { modal: true, detail: texts.join('\n\n') }, action)) === action;
}

/** The text in one line: names and addresses come from files, and must not add lines of their own. */
export function oneLine(text: string): string {
  return escapeInvisible(text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' '));
}

/** Asks in a list, which can be scrolled. The last row confirms, so that Enter alone does not. */
function confirmInList({ title, action, sections, isWarning }: Question): Promise<boolean> {
  const last: vscode.QuickPickItem = { label: `$(${isWarning ? 'warning' : 'check'}) ${action}`, alwaysShow: true };
  const picker = vscode.window.createQuickPick();
  picker.title = title;
  picker.placeholder = t('Read to the end: the last row confirms. Escape cancels.');
  picker.ignoreFocusOut = true;
  picker.items = [...sections.flatMap(rowsOf), { label: '', kind: vscode.QuickPickItemKind.Separator }, last];
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      if (picker.activeItems[0] !== last) return;
      resolve(true);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(false);
      picker.dispose();
    });
    picker.show();
  });
}

/** The title is a row, because beside a separator it would take the place of the first line's end. */
function rowsOf({ title, lines }: QuestionSection): readonly vscode.QuickPickItem[] {
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const all = title === undefined ? lines : [title, ...lines];
  return [separator, ...all.flatMap(wrapped).map((label) => ({ label }))];
}

/** Breaks a line into rows that are shown in full. */
function wrapped(line: string): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest.length > ROW_LENGTH) {
    const space = rest.lastIndexOf(' ', ROW_LENGTH);
    const end = space > ROW_LENGTH / 2 ? space : ROW_LENGTH;
    rows.push(rest.slice(0, end).replaceAll('$(', '$\u200b('));
    rest = rest.slice(end).trimStart();
  }
  return [...rows, rest.replaceAll('$(', '$\u200b(')];
}
