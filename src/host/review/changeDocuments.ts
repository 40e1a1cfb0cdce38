import * as vscode from 'vscode';
import type { Change } from '../../core/review/change';
import { isShape, isText } from '../../protocol/guards';
import type { Review, ReviewStore } from '../stores/reviewStore';

export const CHANGE_SCHEME = 'tapedeck-change';

type Side = 'before' | 'after';

interface ChangeAddress {
  readonly caseUri: string;
  readonly id: string;
  readonly side: string;
}

const isChangeAddress = isShape<ChangeAddress>({ caseUri: isText, id: isText, side: isText });

/** The two sides of a change as read-only documents, for VS Code's own diff editor. They follow the review. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(private readonly store: ReviewStore) {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this),
      store.onDidChange((caseUri) => this.#update(caseUri)),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri);
    if (address === undefined) throw new Error(`${uri} is not the address of a change.`);
    const review = await this.store.get(vscode.Uri.parse(address.caseUri, true));
    if (review?.problem !== undefined) throw new Error(review.problem);
    const change = [...(review?.changes ?? []), ...(review?.hidden ?? [])].find(({ id }) => id === address.id);
    return change?.[address.side === 'before' ? 'before' : 'after'] ?? '';
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(caseUri: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === CHANGE_SCHEME && addressOf(uri)?.caseUri === caseUri.toString()) this.#changed.fire(uri);
  }
}

/** Opens one change in VS Code's diff editor. */
export async function openChangeDiff({ caseUri, artifact }: Review, change: Change): Promise<void> {
  const caseName = artifact?.case_name ?? caseUri.path.slice(caseUri.path.lastIndexOf('/') + 1);
  const uriOf = (side: Side): vscode.Uri =>
    vscode.Uri.from({
      scheme: CHANGE_SCHEME,
      // The file name says which language to colour the text in.
      path: `/${caseName}/${change.title}.${change.language === 'json' ? 'json' : 'txt'}`,
      query: JSON.stringify({ caseUri: caseUri.toString(), id: change.id, side } satisfies ChangeAddress),
    });
  const title = `${caseName}: ${change.title} (baseline ↔ run)`;
  await vscode.commands.executeCommand('vscode.diff', uriOf('before'), uriOf('after'), title);
}

function addressOf(uri: vscode.Uri): ChangeAddress | undefined {
  try {
    const address: unknown = JSON.parse(uri.query);
    return isChangeAddress(address) ? address : undefined;
  } catch {
    // Anyone can open a document of our scheme by any address.
    return undefined;
  }
}
