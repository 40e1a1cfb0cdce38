import type { ReviewedChange, ReviewState } from '../../src/protocol/review';

export function changesNamed(...fields: readonly string[]): readonly ReviewedChange[] {
  return fields.map((field) => ({
    field,
    title: field[0]?.toUpperCase() + field.slice(1),
    before: `${field} before`,
    after: `${field} after`,
    language: 'plaintext',
    decision: 'open',
  }));
}

export function reviewState(part: Partial<ReviewState> = {}): ReviewState {
  return {
    caseUri: 'file:///project/refund.toml',
    caseName: 'refund_question',
    executionId: 'run-2',
    ranAt: new Date(2026, 10, 21, 22, 14).getTime(),
    mode: 'replay',
    hasBaseline: true,
    canDecide: true,
    changes: [],
    ...part,
  };
}
