import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { textParts } from '../../src/core/tapes/tapeFile';
import type { TranscriptMatch, TranscriptMatches } from '../../src/core/transcript/searchTranscript';
import { collectGarbage } from '../../src/reader/collectGarbage';
import { readTapeFile } from '../../src/reader/readFile';
import { openTapeFile } from '../../src/reader/releasedTape';
import { readToEnd, TapeSource } from '../../src/reader/tapeSource';
import { corpusSuite } from '../corpus';
import { samples } from '../soak/samples';
import { longTape } from '../ui/transcriptPageTapes';

function held(file: string): TapeSource {
  return new TapeSource({ uri: { path: file }, version: 1, file: () => readTapeFile(file, file) });
}

function released(file: string): TapeSource {
  return new TapeSource({
    uri: { path: file },
    version: 1,
    file: () => readTapeFile(file, file),
    open: (read) => openTapeFile(file, file, read),
  });
}

/** All that a page may ask for. */
async function everything(source: TapeSource): Promise<unknown> {
  await source.state();
  await readToEnd(
    source,
    () => true,
    () => {},
  );
  const state = await source.state();
  if (state.type === 'unreadable') return state;
  const all = [...Array(state.transcript.length).keys()];
  const bodies = await source.bodies({ interactions: all });
  const sources = await Promise.all(all.map((interaction) => source.source({ interaction })));
  const found: TranscriptMatch[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const { matches, next }: TranscriptMatches = await source.search({ query: 'order', from });
    found.push(...matches);
    from = next;
  }
  return { state, bodies, sources, found };
}

describe('a tape that is read from the disk as it is looked at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-released-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function assertSame(name: string, text: string | Buffer): Promise<void> {
    const file = join(folder, name);
    writeFileSync(file, text);
    assert.deepEqual(await everything(released(file)), await everything(held(file)), name);
  }

  it('is the same as one that is held in memory, in every format', async () => {
    for (const { path, text } of samples) await assertSame(path.replaceAll('/', '_'), text);
  });

  it('is the same with characters of several bytes, a byte order mark, and an error', async () => {
    const tape = longTape(120).replaceAll('A sentence', 'Ein Satz, 一句话 \u{1F600},');
    await assertSame('wide.json', tape);
    await assertSame('mark.json', `\uFEFF${tape}`);
    await assertSame('broken.json', tape.slice(0, -40));
    await assertSame('latin1.json', Buffer.from(tape.replaceAll(/[^\0-\xff]/g, 'é'), 'latin1'));
    await assertSame('replaced.json', tape.replaceAll('Satz', '\uFFFD'));
  });

  it('is read again when it changes while it is read', async () => {
    const file = join(folder, 'changing.json');
    writeFileSync(file, longTape(200));
    const after = longTape(250);
    let count = 0;
    const length = await openTapeFile(file, file, (tape) => {
      count += 1;
      if (count === 1) writeFileSync(file, after);
      return textParts(tape).slice().length;
    });
    assert.deepEqual([count, length], [2, after.length]);
    const always = openTapeFile(file, file, (tape) => {
      count += 1;
      writeFileSync(file, longTape(250 + count));
      return textParts(tape).slice();
    });
    await assert.rejects(always, /changing\.json has changed .* Reopen the transcript\.$/);
    assert.equal(count, 5);
  });

  it('does not stay in memory', async () => {
    const file = join(folder, 'large.json');
    writeFileSync(file, longTape(6000));
    const { size } = statSync(file);
    const used = async (): Promise<number> => {
      await new Promise((settle) => setTimeout(settle, 0));
      await collectGarbage();
      return getHeapStatistics().used_heap_size;
    };
    const before = await used();
    const source = released(file);
    await source.state();
    const opened = (await used()) - before;
    assert.ok(opened < size / 2, `${opened} bytes of ${size}`);
    assert.equal((await source.bodies({ interactions: [59] })).length, 1);
  });

  corpusSuite('the corpus', (corpus) => {
    it('is the same as one that is held in memory', async () => {
      const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).map((name) => join(corpus, name));
      for (const file of files) {
        if (!statSync(file).isFile() || statSync(file).size > 60_000) continue;
        await assertSame(file.slice(corpus.length + 1).replaceAll('/', '_'), readFileSync(file));
      }
    });
  });
});
