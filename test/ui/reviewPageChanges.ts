import type { ReviewedChange } from '../../src/contracts/engine/review';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { PLAIN, reviewState } from '../webview-ui/review/reviewFixtures';

const TOOL_CALL = (amount: number): string =>
  JSON.stringify(
    [
      {
        tool_name: 'find_order',
        input: { order_id: 'A-1093' },
        output: { status: 'delivered', total: 42.5 },
        success: true,
      },
      { tool_name: 'refund', input: { order_id: 'A-1093', amount }, output: { ok: true }, success: true },
    ],
    null,
    2,
  );

const LETTER = [
  'Thank you for writing to us about order A-1093.',
  '',
  'I have looked into it:',
  '- The parcel was delivered on 14 November.',
  '- It was reported as damaged on the same day.',
  '- The photos you sent show the damage clearly.',
  '- No other claim is open for this order.',
  '- The order is covered by our 30-day promise.',
  '- You do not have to send anything back.',
];

/** A typical review: another output, another input of a tool, and another status. */
export const CHANGES: readonly ReviewedChange[] = [
  {
    ...PLAIN,
    id: 'status',
    title: 'Status',
    before: 'passed',
    after: 'failed',
    language: 'plaintext',
    decision: 'open',
  },
  {
    ...PLAIN,
    id: 'output_text',
    title: 'Output',
    before: [...LETTER, '', 'We will refund 42.50 EUR within 5 working days.', 'Kind regards'].join('\n'),
    after: [
      ...LETTER,
      '',
      'We will refund 40.00 EUR within 5 working days, less a handling fee of 2.50 EUR, to the card you paid with.',
      'Is there anything else I can do for you?',
      'Kind regards',
    ].join('\n'),
    language: 'plaintext',
    decision: 'open',
  },
  {
    ...PLAIN,
    id: 'tool_calls',
    title: 'Tool calls',
    before: TOOL_CALL(42.5),
    after: TOOL_CALL(40),
    language: 'json',
    decision: 'open',
  },
];

/** The only change of a first run. */
export const FIRST_RUN: ReviewedChange = {
  ...PLAIN,
  id: 'first',
  kind: 'added',
  subject: 'file',
  title: 'First run',
  before: '',
  after: 'Called refund\n…',
  language: 'plaintext',
  recording: [
    { title: 'Called refund', text: '{\n  "order_id": "A-1093",\n  "amount": 40\n}', language: 'json' },
    { title: 'Output', text: 'We will refund 40.00 EUR within 5 working days.\nKind regards', language: 'plaintext' },
  ],
  decision: 'open',
};

export function reviewOf(part: Partial<ReviewState> = {}): ReviewState {
  return reviewState({
    caseUri: 'file:///project/cases/refund_question.toml',
    ranAt: Date.now() - 60_000,
    changes: CHANGES,
    ...part,
  });
}
