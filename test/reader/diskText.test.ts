import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DiskText } from '../../src/reader/diskText';
import { contentStamp } from '../../src/reader/readFile';

const MARK = '\uFEFF';

describe('a text on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-disk-text-'));
  const file = join(folder, 'tape.json');
  after(() => rmSync(folder, { recursive: true, force: true }));

  function onDisk(text: string, mark = ''): DiskText {
    writeFileSync(file, mark + text);
    const disk = DiskText.open(file, contentStamp(file));
    assert.ok(disk);
    assert.equal(disk.bom, mark !== '');
    return disk;
  }

  /** As long as a few windows of the text that is read together, with characters of one, two, three and four bytes. */
  const texts = fc
    .tuple(
      fc.array(fc.constantFrom('order ', '"', '\\n', 'é', '中', '\u{1F600}', '\uFFFD'), { minLength: 1 }),
      fc.nat(70_000),
    )
    .map(
      ([parts, length]) => `${'x'.repeat(length % 7)}${parts.join('').repeat(1 + Math.floor(length / parts.length))}`,
    );

  it('has the parts of the text, by the same numbers', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom('', MARK),
        fc.array(fc.tuple(fc.nat(), fc.nat(200_000))),
        (text, mark, ranges) => {
          const disk = onDisk(text, mark);
          assert.equal(disk.length, text.length);
          assert.equal(disk.slice(), text);
          assert.equal(disk.slice(-5), text.slice(-5));
          for (const [from, length] of ranges) {
            const start = from % text.length;
            assert.equal(disk.slice(start, start + length), text.slice(start, start + length));
            assert.equal(disk.charCodeAt(start), text.charCodeAt(start));
            assert.equal(disk.startsWith(text.slice(start, start + 5), start), true);
            for (const part of [text.slice(start, start + 1 + (length % 70_000)), 'order order', '\u{1F600}', 'zz'])
              assert.equal(disk.indexOf(part, start), text.indexOf(part, start));
            assert.equal(disk.startsWith(`${text.slice(start, start + 5)}?`, start), false);
          }
          assert.ok(Number.isNaN(disk.charCodeAt(text.length)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is not read when the file has changed, which the error says', () => {
    const disk = onDisk('before');
    writeFileSync(file, 'afterwards');
    assert.throws(() => disk.slice(), /^Error: tape\.json has changed .* Reopen the transcript\.$/);
    rmSync(file);
    assert.throws(() => disk.slice(0, 1), /ENOENT/);
  });
});
