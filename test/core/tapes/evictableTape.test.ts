import * as assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limitProblems, withEvictableTapes } from '../../../src/core/tapes/evictableTape';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { formats } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { Problem } from '../../../src/core/text/source';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

function formatOf(id: string): TapeFormat {
  const format = formats.find((known) => known.id === id);
  assert.ok(format);
  return format;
}

const tiny = tapeFileFromText(`{"version": 1, "case_name": "a", "interactions": [${'{},'.repeat(10_000)}{}]}`);

describe('a tape that is read again when it is used', () => {
  it('has the same interactions for as long as they are held', async () => {
    const tape = formatOf('mofa').read(tiny);
    const { interactions } = tape;
    await new Promise(setImmediate);
    assert.equal(tape.interactions, interactions);
    assert.equal(interactions.length, 10_001);
    assert.deepEqual(interactions[10_000]?.response, { content: null, toolCalls: [] });
  });

  it('is read once more where they were released, not once for each of them', async () => {
    let reads = 0;
    const format = withEvictableTapes({
      id: 'mofa',
      label: 'counted',
      family: 'log',
      extensions: [],
      looksLike: () => true,
      read: () => {
        reads += 1;
        const source = { start: 0, end: 0 };
        const interactions = Array.from({ length: 1000 }, (_, index) => ({ index, kind: 'llm' as const, source }));
        return { format: 'mofa', interactions, problems: [] };
      },
    });
    const tape = format.read(tapeFileFromText(''));
    for (let turn = 1; turn <= 3; turn += 1) {
      for (let index = 0; index < 1000; index += 1) assert.equal(tape.interactions[index]?.index, index);
      assert.equal(reads, turn);
      await new Promise(setImmediate);
      assert.ok(typeof collectGarbage === 'function');
      collectGarbage();
    }
  });

  it('lists no more problems than anybody repairs, and says how many there are', () => {
    const { problems } = formatOf('mofa').read(tiny);
    assert.equal(problems.length, 501);
    const last = problems.at(-1);
    assert.equal(last?.severity, 'error');
    assert.equal(last.message, '9501 more problems are not listed');
    assert.equal(last.span.start, tiny.text.indexOf('{},') + 500 * 3);
  });

  it('is refused where it has more interactions than are read, with the number', () => {
    const of = (count: number) =>
      formatOf('mofa').read(
        tapeFileFromText(`{"version": 1, "case_name": "a", "interactions": [${Array(count).fill('{}')}]}`),
      );
    assert.equal(of(50_000).interactions.length, 50_000);
    const { interactions, problems } = of(50_001);
    assert.equal(interactions.length, 0);
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message]),
      [['error', 'the file has 50001 interactions; at most 50000 are read']],
    );
  });

  it('is what the format reads, with its name and its problems', () => {
    const text = '{"version": 1, "case_name": "short", "interactions": [{"response": 1}]}';
    const tape = formatOf('mofa').read(tapeFileFromText(text));
    const { format, name, version, problems } = tape;
    assert.deepEqual([format, name, version, problems.length], ['mofa', 'short', '1', 1]);
    assert.deepEqual(JSON.parse(JSON.stringify(tape)).interactions[0].response, { content: null, toolCalls: [] });
  });
});

describe('the most problems that are listed', () => {
  const some = (count: number, severity: Problem['severity']): Problem[] =>
    Array.from({ length: count }, (_, start) => ({ severity, message: 'no', span: { start, end: start + 1 } }));

  it('are all of a few', () => {
    for (const count of [0, 1, 500, 501]) assert.equal(limitProblems(some(count, 'error')).length, count);
  });

  it('end with one as grave as the worst that is left out', () => {
    const problems = limitProblems([...some(600, 'info'), ...some(1, 'error'), ...some(1, 'warning')]);
    assert.equal(problems.length, 501);
    const { severity, span, message } = problems[500] ?? assert.fail();
    assert.deepEqual([severity, span, message.slice(0, 8)], ['error', { start: 500, end: 501 }, '102 more']);
  });
});
