import type { ReviewedChange } from '../../../src/contracts/engine/review';
import type { ReviewState } from '../../../src/contracts/pages/reviewPanel';

/** The members of a change that do not matter in these tests. */
export const PLAIN = {
  kind: 'edited',
  subject: 'text',
  place: { path: [] },
  weight: 'behaviour',
  repeats: [],
  rules: [],
} as const;

export function changesNamed(...ids: readonly string[]): readonly ReviewedChange[] {
  return ids.map((id) => ({
    ...PLAIN,
    id,
    title: id[0]?.toUpperCase() + id.slice(1),
    before: `${id} before`,
    after: `${id} after`,
    language: 'plaintext',
    decision: 'open',
  }));
}

export function reviewState(part: Partial<ReviewState> = {}): ReviewState {
  return {
    caseUri: 'file:///project/refund.toml',
    caseName: 'refund_question',
    stamp: 'run-2',
    ranAt: new Date(2026, 10, 21, 22, 14).getTime(),
    mode: 'replay',
    hasBaseline: true,
    kind: 'run',
    against: 'baseline',
    notices: [],
    measures: [],
    queue: { position: 1, total: 1, othersOpen: 0 },
    canUndo: true,
    stageable: 0,
    same: {},
    canDecide: true,
    changes: [],
    hidden: [],
    ...part,
  };
}
