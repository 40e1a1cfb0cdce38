import * as vscode from 'vscode';
import type { ComparedSides, ReviewState } from '../../contracts/pages/reviewPanel';
import type { Change } from '../../core/model/change';
import { parseDocument } from '../../core/schema/parseDocument';
import { shape, text, type Value } from '../../core/schema/schema';
import { message, t } from '../../core/text/l10n';

export const CHANGE_SCHEME = 'tapedeck-change';

type Side = 'before' | 'after';

const CHANGE_ADDRESS = shape({
  /** As `writeReviewAddress` writes it. */
  review: text(),
  id: text(),
  side: text(),
});
type ChangeAddress = Value<typeof CHANGE_ADDRESS>;

interface ShownChange {
  /** As `writeReviewAddress` writes it. */
  readonly address: string;
  /** Of the case, or of the file. */
  readonly name: string;
  readonly against: ReviewState['against'];
  readonly compared: ComparedSides | undefined;
  readonly change: Change;
}

const SIDE_TITLES = {
  baseline: message('baseline ↔ run'),
  commit: message('last commit ↔ now'),
  take: message('previous take ↔ now'),
  chosen: message('before ↔ after'),
} as const satisfies Record<ReviewState['against'], string>;

/** Opens one change in VS Code's diff editor. */
export async function openChangeDiff({ address, name, against, compared, change }: ShownChange): Promise<void> {
  const uriOf = (side: Side): vscode.Uri =>
    vscode.Uri.from({
      scheme: CHANGE_SCHEME,
      // VS Code takes the language of the text from the file name.
      path: `/${name}/${change.title}.${change.language === 'json' ? 'json' : 'txt'}`,
      query: JSON.stringify({ review: address, id: change.id, side } satisfies ChangeAddress),
    });
  const title = `${name}: ${change.title} (${compared === undefined ? t(SIDE_TITLES[against]) : `${compared.before} ↔ ${compared.after}`})`;
  await vscode.commands.executeCommand('vscode.diff', uriOf('before'), uriOf('after'), title);
}

/** Undefined for any other document of our scheme, which anyone can open. */
export function changeAddressOf(uri: vscode.Uri): ChangeAddress | undefined {
  return parseDocument(CHANGE_ADDRESS, uri.query);
}
