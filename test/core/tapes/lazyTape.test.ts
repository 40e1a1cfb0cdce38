import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message } from '../../../src/core/model/message';
import { ContentCache, interactionProblems, LazyInteraction } from '../../../src/core/tapes/lazyTape';

/** Something that notes whether it still has what it read. */
class Reader {
  keeps = true;

  evict(): void {
    this.keeps = false;
  }
}

describe('what was read last', () => {
  it('is kept as far as there is room, the latest always', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1024, max: 9000 }), { minLength: 1 }), (sizes) => {
        const kept = new ContentCache(20_000);
        const readers = sizes.map((size) => {
          const reader = new Reader();
          kept.add(reader, size);
          return reader;
        });
        const first = readers.findIndex(({ keeps }) => keeps);
        const sum = (from: number): number => sizes.slice(from).reduce((all, size) => all + size, 0);
        assert.ok(readers.slice(first).every(({ keeps }) => keeps));
        assert.ok(first === sizes.length - 1 || sum(first) <= 20_000);
        assert.ok(first === 0 || sum(first - 1) > 20_000, 'it forgot one that there was room for');
      }),
    );
  });

  it('counts what has no size as something', () => {
    const kept = new ContentCache(4096);
    const readers = Array.from({ length: 6 }, () => new Reader());
    for (const reader of readers) kept.add(reader, 0);
    assert.deepEqual(
      readers.map(({ keeps }) => keeps),
      [false, false, true, true, true, true],
    );
  });

  it('is one reading of an interaction, and another after it was forgotten', () => {
    let readings = 0;
    const interaction = new LazyInteraction(0, { start: 0, end: 5 }, () => {
      readings += 1;
      return { content: { kind: 'llm', id: `${readings}` }, problems: [] };
    });
    assert.deepEqual([interaction.id, interaction.kind, interaction.problems, readings], ['1', 'llm', [], 1]);
    interaction.evict();
    assert.deepEqual([interaction.problems, readings], [[], 1]);
    assert.deepEqual([interaction.id, readings], ['2', 2]);
  });
});

describe('a request with more messages than are read', () => {
  const withMessages = (count: number): LazyInteraction =>
    new LazyInteraction(0, { start: 3, end: 90 }, () => ({
      content: { kind: 'llm', request: { messages: Array(count).fill(MESSAGE), tools: [], params: {} } },
      problems: [],
    }));

  it('has the first ones, and a problem', () => {
    const whole = withMessages(50_000);
    assert.deepEqual([whole.request?.messages.length, whole.problems], [50_000, []]);
    const cut = withMessages(50_001);
    assert.equal(cut.request?.messages.length, 50_000);
    const [problem] = cut.problems;
    assert.deepEqual([problem?.severity, problem?.span.start], ['error', 3]);
    assert.equal(problem?.message, 'the request has 50001 messages; at most 50000 are read');
  });
});

const MESSAGE: Message = { role: 'user', content: 'a', toolCalls: [] };

describe('the problems of interactions', () => {
  it('end with one that says so, however many there are', () => {
    const problem = { severity: 'error', message: 'broken', span: { start: 0, end: 1 } } as const;
    const broken = new LazyInteraction(0, { start: 0, end: 1 }, () => ({
      content: { kind: 'llm' },
      problems: Array.from({ length: 500_000 }, () => problem),
    }));
    const problems = interactionProblems([broken, broken]);
    assert.equal(problems.length, 20_001);
    assert.match(problems.at(-1)?.message ?? '', /^there are more problems than are listed/);
  });
});
