import type { ShownHeld } from '../../src/contracts/transcript/transcriptHolds';
import { diffText } from '../../src/core/diff/diffText';

/** A request that is held, as the host sends it to the page. */
export const HELD: ShownHeld = {
  id: 3,
  session: 's',
  mode: 'replay',
  stage: 'request',
  interaction: 1,
  to: 'POST /v1/chat/completions',
  headline:
    'This request is not on tapes/agent.tape.jsonl: it differs from interaction 2 in one place: message 2 (user) edited: 1042 → 1043.',
  explanation: '  request: POST /chat/completions\n  model: gpt-4.1-mini',
  diff: diffText('{\n  "content": "Where is order 1042?"\n}', '{\n  "content": "Where is <b>order</b> 1043?"\n}'),
  continues: 'refused',
  response: {
    fields: {
      text: 'It is on its way.',
      reasoning: [],
      calls: [{ name: 'find_order', arguments: '{\n  "id": 1042\n}' }],
      status: 200,
    },
    body: '{\n  "choices": []\n}',
  },
};
