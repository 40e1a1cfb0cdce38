import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/core/model/interaction';
import { PendingToolCalls } from '../../../src/core/transcript/pendingToolCalls';

/** One response with so many calls. */
function answer(count: number, idOf: (at: number) => string): Interaction {
  const toolCalls = Array.from({ length: count }, (_, at) => ({ id: idOf(at), name: 'look', arguments: {} }));
  return { index: 0, kind: 'llm', response: { content: null, toolCalls }, source: { start: 0, end: 0 } };
}

function millisecondsFor(interaction: Interaction): number {
  const before = process.cpuUsage();
  new PendingToolCalls().add(interaction, undefined, () => {});
  return process.cpuUsage(before).user / 1000;
}

describe('a response with very many calls of tools', () => {
  const ids: Readonly<Record<string, (at: number) => string>> = {
    'ids of their own': (at) => `c${at}`,
    'one id': () => 'c',
    'no id': () => '',
    'ids in pairs': (at) => `c${at >> 1}`,
  };
  for (const [kind, idOf] of Object.entries(ids))
    it(`takes time in proportion to them: with ${kind}`, () => {
      millisecondsFor(answer(1000, idOf));
      const [few, many] = [4000, 32_000].map((count) => millisecondsFor(answer(count, idOf)));
      // Eight times as many: a filter of all for each took 64 times as long, some seconds.
      assert.ok((many ?? 0) < Math.max(few ?? 0, 30) * 24, `${few} and ${many} ms`);
    });
});
