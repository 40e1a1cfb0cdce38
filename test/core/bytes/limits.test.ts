import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { decompressBrotli } from '../../../src/core/bytes/brotli';
import { DEFAULT_LIMITS } from '../../../src/core/bytes/decompress';
import { LISTED_BYTES, LISTED_GZIP } from '../../../src/core/bytes/fileLimits';
import { listTape } from '../../../src/core/project/listTape';
import { readTape } from '../../../src/core/tapes/readTape';
import { decodeTapeFile, encodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { verifyFile } from '../../../src/core/verify/verifyFile';

const MIB = 2 ** 20;
const lists = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('[[]'), Buffer.alloc(bytes, ',[]'), Buffer.from(']')]);

describe('a gzipped tape', () => {
  const bomb = gzipSync(lists(100 * MIB));

  it('is not unpacked beyond its limit, which is its only problem', () => {
    const started = process.cpuUsage();
    const file = decodeTapeFile('a.tape.json.gz', bomb);
    assert.match(String(file.unreadable), /^unpacked, it is larger than \d+ MiB and 100 times its size$/);
    assert.deepEqual(
      readTape(file)?.problems.map(({ message }) => message),
      [`the file was not read: ${file.unreadable}`],
    );
    assert.deepEqual(
      verifyFile(file)?.findings.map(({ rule }) => rule),
      ['unreadable'],
    );
    assert.ok(process.cpuUsage(started).user < 5_000_000);
    assert.equal(encodeTapeFile(file, file.text), bomb, 'it stays as it is');
  });

  it('is judged by its content, not by the size that its trailer claims', () => {
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(100, lying.length - 4);
    assert.match(String(decodeTapeFile('a.tape.json.gz', lying).unreadable), /larger than/);
    const small = gzipSync('{"version":1}');
    small.writeUInt32LE(0xffff_ffff, small.length - 4);
    assert.equal(decodeTapeFile('a.tape.json.gz', small).gzipHeader, undefined, 'damaged');
  });

  it('is listed without its content where that takes too much', async () => {
    const packed = gzipSync(
      Buffer.concat([Buffer.from('{"version":1,"interactions":[]'), Buffer.alloc(20 * MIB, ' \n'), Buffer.from('}')]),
      { level: 1 },
    );
    const listed = await listTape('a.tape.json.gz', packed.length, async () =>
      decodeTapeFile('a.tape.json.gz', packed, LISTED_GZIP),
    );
    assert.deepEqual(
      listed?.problems.map(({ severity, fix }) => [severity, fix]),
      [['warning', 'Open it to read it, or split it into smaller tapes.']],
    );
    assert.equal(
      await listTape('data/a.json.gz', packed.length, async () =>
        decodeTapeFile('data/a.json.gz', packed, LISTED_GZIP),
      ),
      undefined,
      'no tape by its name',
    );
    const large = await listTape('a.tape.json', LISTED_BYTES + 1, () => assert.fail('it was read'));
    assert.match(String(large?.problems[0]?.message), /larger than 64 MiB/);
  });
});

describe('brotli without Node', () => {
  it('stops at the limit', () => {
    const { bytes, problem } = decompressBrotli(brotliCompressSync(Buffer.alloc(3 * MIB)), DEFAULT_LIMITS);
    assert.match(String(problem), /^it decompresses to more than 1048576 bytes$/);
    assert.ok(bytes.length <= MIB);
  });
});
