import type { ShownDrift } from '../../src/contracts/transcript/transcriptEvents';
import { diffText } from '../../src/core/diff/diffText';

/** A drift as the host sends it to the page. */
export const sampleDrift = (interaction: number): ShownDrift => ({
  interaction,
  caseName: 'order_status',
  line: 'user: order 1042 → <b>order</b> 1043',
  message: `order_status.tape.json has no recording of this request.\nmodel gpt-4.1-mini, "Where is my <b>order</b> 1043?"\nNearest is recording ${interaction + 1}: message 2 (user) was edited: 1042 became 1043.`,
  diff: diffText('Where is my order 1042?', 'Where is my <b>order</b> 1043?'),
  fixes: ['Mask Provider IDs', 'Re-record from #2 (2 live calls, about $0.002)', 'Re-record All'],
});
