import type { ReviewedChange } from '../../src/contracts/engine/review';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { PLAIN } from '../webview-ui/review/reviewFixtures';
import { reviewOf } from './reviewPageChanges';

/** A change of interaction `at`, from 0. */
function change(id: string, at: number, part: Partial<ReviewedChange>): ReviewedChange {
  return {
    ...PLAIN,
    id,
    title: 'Answer',
    before: `answer ${id} as it was`,
    after: `answer ${id} as it is`,
    language: 'plaintext',
    decision: 'open',
    place: { before: at, after: at, path: ['response', 'content'] },
    ...part,
  };
}

/** `count` changes, five per interaction. */
export function manyChanges(count: number): readonly ReviewedChange[] {
  return Array.from({ length: count }, (_, index) =>
    change(
      `c${index}`,
      Math.floor(index / 5),
      index % 5 === 4 ? { title: 'Tokens', subject: 'usage', weight: 'accounting' } : {},
    ),
  );
}

const REFUND = (amount: number): string => JSON.stringify({ order: 'A-1093', amount, currency: 'EUR' }, null, 2);

/** A tape of an own agent that was recorded again, with what that has changed in the result of its case. */
export function recordingReview(part: Partial<ReviewState> = {}): ReviewState {
  const said = { before: 'The order 4711 is on its way.', after: 'The order 4711 arrives on Monday.' };
  return reviewOf({
    caseUri: 'file:///project/tapes/order.tape.jsonl',
    caseName: 'order',
    casePath: 'cases/order.toml',
    kind: 'tape',
    against: 'commit',
    queue: { position: 1, total: 2, othersOpen: 1 },
    changes: [
      change('request', 1, {
        title: 'Text of message 2',
        weight: 'context',
        before: 'Where is order 4711?',
        after: 'Where is my order 4711?',
        counterparts: ['Text of message 2'],
        place: { before: 1, after: 1, path: ['request', 'messages', 1, 'content'] },
      }),
      change('response', 1, { title: 'Response', ...said, counterparts: ['Output', 'Response'] }),
      change('exit', 0, {
        title: 'Exit code of the agent',
        subject: 'details',
        before: '0',
        after: '2',
        isOfResult: true,
        place: { path: ['tapedeck', 'process', 'exit_code'] },
      }),
    ],
    ...part,
  });
}

/** A typical review of a tape. */
export function tapeReview(part: Partial<ReviewState> = {}): ReviewState {
  return reviewOf({
    caseUri: 'file:///project/tapes/refund.tape.json',
    caseName: 'refund.tape.json',
    kind: 'tape',
    against: 'commit',
    queue: { position: 2, total: 4, othersOpen: 2 },
    measures: [
      { name: 'interactions', before: 3, after: 4 },
      { name: 'tool calls', before: 2, after: 2 },
      { name: 'tokens in', before: 1204, after: 1310 },
      { name: 'cost', before: 0.00412, after: 0.00466 },
      { name: 'latency', before: 3420, after: 2280 },
    ],
    changes: [
      change('system', 0, {
        title: 'Text of message 1',
        subject: 'text',
        weight: 'context',
        before: 'You are a support agent of a small web shop.\nBe brief.',
        after: 'You are a support agent of a small web shop.\nBe brief, and name the day.',
        repeats: [
          { before: 1, after: 1, path: [] },
          { before: 2, after: 2, path: [] },
        ],
      }),
      change('amount', 1, {
        title: 'Arguments of refund',
        subject: 'arguments',
        language: 'json',
        before: REFUND(42.5),
        after: REFUND(40),
      }),
      change('answer', 2, {
        before: 'We will refund 42.50 EUR within 5 working days.\nKind regards',
        after: 'We will refund 40.00 EUR by Friday, less a handling fee of 2.50 EUR.\nKind regards',
        decision: 'rejected',
        reason: 'no fees without asking',
      }),
      change('tokens', 2, {
        title: 'Tokens',
        subject: 'usage',
        weight: 'accounting',
        before: '{\n  "completion": 17\n}',
        after: '{\n  "completion": 26\n}',
        language: 'json',
        decision: 'accepted',
      }),
      change('new', 3, {
        title: 'Interaction added',
        subject: 'interaction',
        kind: 'added',
        before: '',
        after: 'user: Thank you!\nassistant: You are welcome.',
        place: { after: 3, path: [] },
      }),
    ],
    hidden: [change('id', 0, { title: 'Id', before: 'call_1', after: 'call_8f21', rules: ['record id'] })],
    ...part,
  });
}

/** The same tape, compared with itself in a commit. */
export function comparison(part: Partial<ReviewState> = {}): ReviewState {
  const { changes } = tapeReview();
  return tapeReview({
    against: 'chosen',
    compared: { before: 'refund.tape.json in 3f2a1c9', after: 'refund.tape.json', isCurrent: true },
    canDecide: false,
    queue: { position: 0, total: 0, othersOpen: 0 },
    changes: changes.slice(0, 3).map((one) => ({ ...one, decision: 'open' })),
    ...part,
  });
}
