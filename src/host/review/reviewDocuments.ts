import * as vscode from 'vscode';
import type { Change } from '../../core/model/change';
import { loadCore } from '../../reader/loadCore';
import { type ReviewAddress, readReviewAddress, writeReviewAddress } from '../stores/reviewAddress';
import type { ReviewContentState } from './reviewPage';
import type { ReviewWorkflow } from './reviewWorkflow';

/** The scheme of reviews as text. */
const SCHEME = 'tapedeck-review';

/** Reviews as read-only documents, which screen readers can read line by line. They follow the review. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly workflow: ReviewWorkflow,
    changes: readonly vscode.Event<unknown>[],
  ) {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      ...changes.map((onDidChange) => onDidChange(() => this.#update())),
    ];
  }

  async open(address: ReviewAddress): Promise<void> {
    const { caseName } = await this.workflow.state(address);
    const query = writeReviewAddress(address);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/Review of ${caseName}.txt`, query });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = readReviewAddress(uri.query);
    if (address === undefined) throw new Error(`${uri} is not a valid link to a review.`);
    const state = await this.workflow.state(address);
    if (state.notice !== undefined) return `${state.notice}\n`;
    const { reviewText } = await loadCore();
    const whole = <T extends Change>(changes: readonly T[]) =>
      Promise.all(changes.map((one) => this.#whole(address, one)));
    return reviewText({
      name: state.caseName,
      compared: comparedWith(state),
      changes: await whole(state.changes),
      hidden: await whole(state.hidden),
      notices: state.notices,
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** A change with the texts that were left out for the page. */
  async #whole<T extends Change & { readonly deferred?: unknown }>(address: ReviewAddress, change: T): Promise<T> {
    return change.deferred === undefined ? change : { ...change, ...(await this.workflow.texts(address, change.id)) };
  }

  #update(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#changed.fire(uri);
  }
}

function comparedWith({ against, hasBaseline }: ReviewContentState): string {
  if (against === 'commit') return 'Compared with the last commit';
  if (against === 'take') return 'Compared with the previous take';
  return hasBaseline ? 'Compared with the baseline' : 'First run, no baseline yet';
}
