import * as vscode from 'vscode';
import type { Change } from '../../core/model/change';
import { isShape, isText } from '../../protocol/guards';
import type { ReviewAgainst } from '../../protocol/reviewQueue';
import { readReviewAddress } from '../stores/reviewAddress';
import type { ReviewDesk } from './reviewDesk';

export const CHANGE_SCHEME = 'tapedeck-change';

type Side = 'before' | 'after';

interface ChangeAddress {
  /** As `writeReviewAddress` writes it. */
  readonly review: string;
  readonly id: string;
  readonly side: string;
}

const isChangeAddress = isShape<ChangeAddress>({ review: isText, id: isText, side: isText });

/** The two sides of a change as read-only documents, for VS Code's own diff editor. They follow the review. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly desk: ReviewDesk,
    changes: readonly vscode.Event<unknown>[],
  ) {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this),
      ...changes.map((onDidChange) => onDidChange(() => this.#update())),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = changeAddressOf(uri);
    const review = address && readReviewAddress(address.review);
    if (address === undefined || review === undefined) throw new Error(`${uri} is not the address of a change.`);
    const { before, after } = await this.desk.source(review).texts(address.id);
    return address.side === 'before' ? before : after;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === CHANGE_SCHEME) this.#changed.fire(uri);
  }
}

export interface ShownChange {
  /** As `writeReviewAddress` writes it. */
  readonly address: string;
  /** Of the case, or of the file. */
  readonly name: string;
  readonly against: ReviewAgainst;
  readonly change: Change;
}

const SIDES = { baseline: 'baseline ↔ run', commit: 'last commit ↔ now', take: 'take before ↔ now' } as const;

/** Opens one change in VS Code's diff editor. */
export async function openChangeDiff({ address, name, against, change }: ShownChange): Promise<void> {
  const uriOf = (side: Side): vscode.Uri =>
    vscode.Uri.from({
      scheme: CHANGE_SCHEME,
      // The file name says which language to colour the text in.
      path: `/${name}/${change.title}.${change.language === 'json' ? 'json' : 'txt'}`,
      query: JSON.stringify({ review: address, id: change.id, side } satisfies ChangeAddress),
    });
  const title = `${name}: ${change.title} (${SIDES[against]})`;
  await vscode.commands.executeCommand('vscode.diff', uriOf('before'), uriOf('after'), title);
}

function changeAddressOf(uri: vscode.Uri): ChangeAddress | undefined {
  try {
    const address: unknown = JSON.parse(uri.query);
    return isChangeAddress(address) ? address : undefined;
  } catch {
    // Anyone can open a document of our scheme by any address.
    return undefined;
  }
}
