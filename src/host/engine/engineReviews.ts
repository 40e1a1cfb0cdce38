import * as vscode from 'vscode';
import type { Answers, Params, Result } from '../../contracts/contract';
import type { ComparisonsApi } from '../../contracts/engine/comparisons';
import type { engine } from '../../contracts/engine/engine';
import type {
  DecideParams,
  DecideTogetherParams,
  EngineReviewsApi,
  SubjectParams,
} from '../../contracts/engine/engineReviews';
import type { NamedChange, ReviewSubject } from '../../contracts/engine/review';
import type { TakesApi } from '../../contracts/engine/takes';
import type { PreviousTotals } from '../../core/review/previousTotals';
import { caseUriIn } from '../base/caseUri';
import { ContextKey } from '../base/contextKey';
import { sameChanges } from '../stores/reviews/sameChanges';
import type { EngineClient } from './engineClient';

/** The calls about reviews that the editor makes. In a browser, where no engine runs, each of them rejects. */
export type ReviewCalls = EngineReviewsApi &
  ComparisonsApi &
  TakesApi &
  Pick<Answers<typeof engine.calls>, 'changesSince'> & {
    /** `results` are what is decided with a tape: see `ReviewSummary`. */
    decide(params: DecideParams, results?: readonly ReviewSubject[]): Promise<readonly NamedChange[]>;
    readonly canDecide: boolean;
    readonly same?: typeof sameChanges;
  };

/**
 * Reviews and decisions through the engine. The engine runs git, and git runs programs that the repository configures,
 * so every call requires a trusted workspace.
 */
export class EngineReviews implements ReviewCalls {
  readonly same = sameChanges;
  readonly reviews = this.#trusted('reviews');
  readonly trackedState = this.#trusted('trackedState');
  readonly review = this.#trusted('review');
  readonly changeTexts = this.#trusted('changeTexts');
  readonly previousTotals = this.#trusted('previousTotals');
  readonly lastDecision = this.#trusted('lastDecision');
  readonly stage = this.#trusted('stage');
  readonly reapplyRejections = this.#trusted('reapplyRejections');
  readonly changesSince = this.#trusted('changesSince');
  readonly comparison = this.#trusted('comparison');
  readonly comparisonTexts = this.#trusted('comparisonTexts');
  readonly earlierVersions = this.#trusted('earlierVersions');
  readonly takes = this.#trusted('takes');
  readonly restoreTake = this.#trusted('restoreTake');
  readonly undoRestore = this.#trusted('undoRestore');
  readonly deleteTakes = this.#trusted('deleteTakes');
  /** Completes the step of the walkthrough about reviews. */
  readonly #hasDecided = new ContextKey<boolean>('tapedeck.hasDecided');
  readonly #decide = this.#trusted('decide');
  readonly #decideTogether = this.#trusted('decideTogether');
  readonly #undo = this.#trusted('undo');

  constructor(
    private readonly engine: EngineClient,
    private readonly requireTrust: () => void,
    /** Called after a decision on a run, or its undo, that may have changed the baseline. */
    private readonly onBaselineChanged: (caseUri: vscode.Uri) => void,
  ) {}

  get canDecide(): boolean {
    return vscode.workspace.isTrusted;
  }

  readonly decide = async (
    params: DecideParams,
    results: readonly ReviewSubject[] = [],
  ): Promise<readonly NamedChange[]> => {
    const belonging = await this.#decide(params);
    this.#hasDecided.set(true);
    if (params.verdict === 'accepted')
      for (const subject of [params.subject, ...results]) this.#announceBaseline({ root: params.root, subject });
    return belonging;
  };

  readonly decideTogether = async (params: DecideTogetherParams): Promise<readonly NamedChange[]> => {
    const belonging = await this.#decideTogether(params);
    this.#hasDecided.set(true);
    if (params.verdict === 'accepted')
      for (const { subject } of params.members) this.#announceBaseline({ root: params.root, subject });
    return belonging;
  };

  readonly undo = async (params: SubjectParams): Promise<readonly ReviewSubject[]> => {
    const undone = await this.#undo(params);
    for (const subject of undone) this.#announceBaseline({ root: params.root, subject });
    return undone;
  };

  #announceBaseline({ root, subject }: SubjectParams): void {
    if (subject.kind === 'run') this.onBaselineChanged(caseUriIn(vscode.Uri.file(root), subject.path));
  }

  #trusted<M extends keyof EngineReviewsApi | keyof ComparisonsApi | keyof TakesApi | 'changesSince'>(method: M) {
    return async (params: Params<(typeof engine.calls)[M]>): Promise<Result<(typeof engine.calls)[M]>> => {
      this.requireTrust();
      return this.engine.call(method, params);
    };
  }
}

/** Reads the totals of a tape before it changed; null also in Restricted Mode and for files outside the workspace. */
export function previousTotalsOf(reviews: ReviewCalls): (tape: vscode.Uri) => Promise<PreviousTotals | null> {
  return async (tape) => {
    const folder = vscode.workspace.getWorkspaceFolder(tape)?.uri;
    if (folder?.scheme !== 'file' || !vscode.workspace.isTrusted) return null;
    const path = tape.path.slice(folder.path.length).replace(/^\/+/, '');
    return reviews.previousTotals({ root: folder.fsPath, path });
  };
}
