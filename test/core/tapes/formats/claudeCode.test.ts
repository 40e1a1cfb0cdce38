import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/json/json';
import { claudeCodeFormat } from '../../../../src/core/tapes/formats/claudeCode/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';

interface Line {
  readonly parent: number;
  readonly kind: 'user' | 'assistant' | 'result';
  /** Of the response, or of the call that the result is of. */
  readonly id: number;
}

function sessionOf(lines: readonly Line[]): string {
  const contentOf = ({ kind, id }: Line, at: number): Json => {
    if (kind === 'user') return `say ${at}`;
    if (kind === 'result') return [{ type: 'tool_result', tool_use_id: `call_${id}`, content: `result ${at}` }];
    return [
      { type: 'text', text: `text ${at}` },
      { type: 'tool_use', id: `call_${id}`, name: 'look', input: { at } },
    ];
  };
  const texts = lines.map((line, at) =>
    JSON.stringify({
      type: line.kind === 'assistant' ? 'assistant' : 'user',
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${Math.max(0, at - 1 - line.parent)}`,
      sessionId: 's',
      message: {
        role: line.kind === 'assistant' ? 'assistant' : 'user',
        content: contentOf(line, at),
        ...(line.kind === 'assistant' && { id: `msg_${line.id}`, model: 'claude' }),
      },
    }),
  );
  return `${texts.join('\n')}\n`;
}

const LINES = fc.array(
  fc.record<Line>({
    parent: fc.nat({ max: 3 }).map((back) => (back < 2 ? 0 : back)),
    kind: fc.constantFrom('user', 'assistant', 'result'),
    id: fc.nat({ max: 5 }),
  }),
  { minLength: 1, maxLength: 30 },
);

describe('a transcript of Claude Code', () => {
  const read = (text: string) => claudeCodeFormat.read(tapeFileFromText(text, 'a.jsonl')).interactions;

  it('has the same conversations, in whichever order they are read', () => {
    fc.assert(
      fc.property(LINES, (lines) => {
        const text = sessionOf(lines);
        const inOrder = read(text).map(({ request }) => request?.messages ?? []);
        const count = inOrder.length;
        const alone = Array.from({ length: count }, (_, at) => read(text)[at]?.request?.messages ?? []);
        assert.deepEqual(inOrder, alone);
        const backwards = read(text);
        const reversed = Array.from({ length: count }, (_, at) => backwards[count - 1 - at]?.request?.messages ?? []);
        assert.deepEqual(reversed.reverse(), alone);
        const again = read(text);
        for (const [at, messages] of alone.entries())
          for (const one of [at, Math.floor(at / 2)])
            assert.deepEqual(again[one]?.request?.messages ?? [], one === at ? messages : alone[one]);
      }),
      { numRuns: 300 },
    );
  });

  it('of 8,000 lines is read in the time that its conversations take to be copied', () => {
    const lines = Array.from({ length: 8000 }, (_, at): Line => {
      return { parent: 0, kind: at % 2 === 0 ? 'user' : 'assistant', id: at };
    });
    const before = process.cpuUsage();
    const interactions = read(sessionOf(lines));
    const messages = interactions.reduce((sum, { request }) => sum + (request?.messages.length ?? 0), 0);
    const { user, system } = process.cpuUsage(before);
    assert.equal(messages, 4000 * 4000);
    assert.ok((user + system) / 1e6 < 5, `${(user + system) / 1e6} s`);
  });
});
