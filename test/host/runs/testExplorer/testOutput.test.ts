import assert from 'node:assert/strict';
import type { RunResult } from '../../../../src/core/model/run';
import { TestOutput } from '../../../../src/host/runs/testExplorer/testOutput';

const result = (status: RunResult['status'], more: Partial<RunResult> = {}): RunResult => ({
  casePath: '',
  name: '',
  mode: 'replay',
  status,
  durationMs: 12,
  failures: [],
  compared: '1 assertion',
  toolCalls: [],
  baselinePath: '',
  hasBaseline: false,
  ...more,
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are taken out
const plain = (text: string): string => text.replace(/\u001B\[\d+m/g, '');

function recorded(): { output: TestOutput<string>; chunks: [string, string | undefined][] } {
  const chunks: [string, string | undefined][] = [];
  return { output: new TestOutput<string>((text, item) => chunks.push([text, item])), chunks };
}

describe('the output of the Test Explorer', () => {
  it('keeps the output of cases that run beside each other apart, and shows that of the first as it comes', () => {
    const { output, chunks } = recorded();
    output.started('a', 'A', 'first');
    output.started('b', 'B', 'second');
    output.interaction('b', 0, 'asked b');
    output.interaction('a', 0, 'asked a');
    assert.deepEqual(
      chunks.map(([text, item]) => [plain(text), item]),
      [
        ['first\r\n', 'A'],
        ['   1  asked a\r\n', 'A'],
      ],
    );
    output.finished('b', result('passed'));
    assert.equal(chunks.length, 2);
    output.finished('a', result('failed', { failures: [{ kind: 'assertion', message: 'no\nway', fix: 'mend it' }] }));
    output.end();
    const text = plain(chunks.map(([chunk]) => chunk).join(''));
    assert.equal(
      text.replace(/in \d+ ms/, 'in 1 ms'),
      [
        'first',
        '   1  asked a',
        '  ✗ failed  12 ms · 1 assertion',
        '    no',
        '    way',
        '    mend it',
        'second',
        '   1  asked b',
        '  ✓ passed  12 ms · 1 assertion',
        '',
        '2 cases: 1 passed, 1 failed in 1 ms',
        '',
      ].join('\r\n'),
    );
    assert.deepEqual([...new Set(chunks.map(([, item]) => item))], ['A', 'B', undefined]);
  });

  it('has colours of its own, and none of what a case or an agent says', () => {
    const { output, chunks } = recorded();
    output.started('a', 'A', 'ev\u001B[31mil');
    output.interaction('a', 0, 'two\nlines\u001B]0;title\u0007');
    output.finished('a', result('passed'));
    output.end();
    const text = chunks.map(([chunk]) => chunk).join('');
    assert.ok(text.includes('\u001B[32m✓ passed\u001B[39m'));
    assert.ok(!text.includes('\u001B[31m') && !text.includes('\u0007') && !text.includes('\u001B]'));
    assert.ok(plain(text).includes('two lines\\u001b]0;title\\u0007'));
    assert.ok(!plain(text).includes('cases:'), 'one case needs no sum');
  });

  it('shows at the end what has not finished', () => {
    const { output, chunks } = recorded();
    output.started('a', 'A', 'first');
    output.started('b', 'B', 'second');
    output.end();
    assert.equal(plain(chunks.map(([text]) => text).join('')), 'first\r\nsecond\r\n');
  });
});
