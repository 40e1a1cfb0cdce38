import assert from 'node:assert/strict';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { jsonLines, readTextAs } from '../readAsFormat';

describe('the AI SDK fixture format', () => {
  const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] });

  it('reads the pieces of a stream as one answer', () => {
    const tape = readTextAs(jsonLines(delta('Hel'), delta('lo')), 'vercel-ai', 'x.chunks.txt');
    assert.deepEqual([tape.interactions.length, tape.records], [1, 2]);
    assert.equal(tape.interactions[0]?.response?.content, 'Hello');
  });

  it('knows an answer by what it looks like, without a name', () => {
    const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] };
    assert.equal(readTextAs(JSON.stringify(body, null, 2), 'vercel-ai').interactions[0]?.response?.content, 'hi');
    assert.equal(readTextAs(jsonLines(delta('a'), delta('b')), 'vercel-ai').interactions[0]?.response?.content, 'ab');
  });

  it('takes what is no answer of a model only from the fixtures of a package', () => {
    const job = '{"id": "1", "status": "transcribed"}';
    assert.equal(detectFormat(tapeFileFromText(job, 'src/__fixtures__/job.json')), undefined);
    const tape = readTextAs(job, 'vercel-ai', 'packages/revai/src/__fixtures__/job.json');
    assert.equal(tape.interactions[0]?.kind, 'http');
  });

  it('does not claim other JSON', () => {
    const others = [
      '{}',
      '[]',
      '{"name": "x", "version": "1.0.0"}',
      '{"data": [1]}',
      '{"message": "hi"}',
      '{"a": 1}\n{"a": 2}',
      '{"ok": true, "results": [{"case": "a.toml", "passed": true, "output": "hi"}]}',
    ];
    for (const text of others) assert.equal(detectFormat(tapeFileFromText(text, 'package.json')), undefined, text);
  });
});
