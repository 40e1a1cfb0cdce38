import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { SecretSearch } from '../../../../src/core/secrets/secretSearch';
import { readTape } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';

const MIB = 2 ** 20;

function archive(bodies: readonly Buffer[]): string {
  const entries = bodies.map((body) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'POST', url: 'https://api.example/v1/chat/completions', headers: [] },
    response: { status: 200, headers: [], content: { encoding: 'base64', text: body.toString('base64') } },
  }));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });
}

describe('the compressed bodies of a tape', () => {
  it('are not decompressed beyond a limit for all of them, which is told', () => {
    const text = archive(Array(60).fill(gzipSync(Buffer.alloc(MIB - 1, '{"a": 1}\n'))));
    const tape = readTape(tapeFileFromText(text, 'a.har'));
    const refused = tape?.problems.filter(({ message }) => /larger than 32 MiB together/.test(message)) ?? [];
    assert.equal(refused.length, 28);
    assert.ok(refused.every(({ severity }) => severity === 'warning'));
    assert.equal(tape?.interactions[59]?.http?.responseBody.type, 'base64', 'the recording is kept as it is');
    const again = tape?.problems.map(({ message }) => message);
    assert.deepEqual(
      readTape(tapeFileFromText(text, 'a.har'))?.problems.map(({ message }) => message),
      again,
    );
  });

  it('may be ten times as large as the tape', () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `{"n": ${(at * 7919) % 1_000_003}}`).join('\n');
    const packed = gzipSync(lines);
    const count = Math.ceil((40 * MIB) / lines.length);
    assert.ok(10 * count * packed.length > 40 * MIB);
    const tape = readTape(tapeFileFromText(archive(Array(count).fill(packed)), 'a.har'));
    assert.deepEqual(
      tape?.problems.filter(({ message }) => /decompress/.test(message)),
      [],
    );
  });
});

describe('the compressed strings in a text', () => {
  it('are searched for secrets up to a limit for all of them', () => {
    const secret = gzipSync('{"key": "sk-proj-Abcdefghijklmnopqrstuvwxyz0123456789ABCD"}').toString('base64');
    const bomb = gzipSync(Buffer.alloc(MIB - 1, 'no secret. ')).toString('base64');
    const search = new SecretSearch();
    assert.equal(search.find(`"${secret}"`).length, 1);
    assert.equal(search.find(`"${`${bomb}" "`.repeat(20)}${secret}"`).length, 1);
    const started = process.cpuUsage();
    search.find(`"${`${bomb}" "`.repeat(2000)}"`);
    assert.ok(process.cpuUsage(started).user < 20_000_000, 'as much time as for 32 MiB');
  });
});
