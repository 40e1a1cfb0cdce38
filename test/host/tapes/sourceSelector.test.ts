import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Uri } from 'vscode';
import type { ReaderApi, ReaderStart } from '../../../src/contracts/reader/reader';
import type { TranscriptGrowth } from '../../../src/contracts/transcript/transcript';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { TranscriptMatch } from '../../../src/core/transcript/searchTranscript';
import { startReader } from '../../../src/host/tapes/readerThread';
import type { TapeDocument } from '../../../src/host/tapes/tapeDocument';
import { SourceSelector } from '../../../src/host/tapes/transcript/sourceSelector';
import type { ThreadSource } from '../../../src/host/tapes/transcript/threadSource';
import { readToEnd, TapeSource } from '../../../src/reader/tapeSource';
import { projectFolder } from '../../corpus';
import { longTape } from '../../ui/transcriptPageTapes';

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-thread-'));
const script = join(folder, 'tapeReader.js');
const file = join(folder, 'long.json');
const tape = longTape(150);

type Document = TapeDocument & { version: number };

/** A document of which only the thread may read the file while `large` says where it is. */
function documentOf(large: string | undefined): Document {
  return {
    uri: { path: '/project/long.json' } as Uri,
    version: 1,
    isDirty: false,
    largeFile: async () => large,
    file: async () => (large === undefined ? tapeFileFromText(tape) : assert.fail('the host read the file')),
    onDidChange: () => ({ dispose: () => undefined }),
    edit: () => assert.fail(),
  };
}

/** What a page is told of a tape, from its beginning to its end. */
async function told(source: ReaderApi): Promise<unknown[]> {
  const state = await source.state(undefined);
  const growth: TranscriptGrowth[] = [];
  await readToEnd(
    source,
    () => true,
    (more) => growth.push(more),
  );
  assert.equal(state.type, 'transcript');
  return [
    state.transcript.interactions.concat(...growth.map(({ interactions }) => interactions)),
    growth.at(-1)?.totals,
    await source.bodies({ interactions: [0, 149] }),
    await searched(source, 'order'),
    await source.more({ interaction: 3, entry: 0, part: 'text', start: 2 }),
    await source.span({ interaction: 149 }),
    await source.source({ interaction: 149 }),
    await source.playback({ interaction: 2 }),
    await source.readOnlyReason(undefined),
  ];
}

/** All matches, in however many answers they come. */
async function searched(source: ReaderApi, query: string): Promise<TranscriptMatch[]> {
  const found: TranscriptMatch[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const { matches, next } = await source.search({ query, from });
    found.push(...matches);
    from = next;
  }
  return found;
}

describe('a large tape', () => {
  const started: ThreadSource[] = [];
  const start = (begin: ReaderStart, run = script): ThreadSource => {
    const thread = startReader(run, begin);
    started.push(thread);
    return thread;
  };
  const noPrices = async (): Promise<undefined> => undefined;

  before(async () => {
    writeFileSync(file, tape);
    await build({
      entryPoints: [join(projectFolder, 'src/reader/main.ts')],
      ...{ outfile: script, bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' },
    });
  });
  afterEach(async () => {
    for (const thread of started) thread.end();
    await Promise.all(started.map(({ ended }) => ended));
    started.splice(0);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is told by a thread as it is told here', async () => {
    const source = new SourceSelector(documentOf(file), noPrices, start);
    const here = await told(new TapeSource(documentOf(undefined)));
    assert.deepEqual(await told(await source.current()), here);
    assert.equal(started.length, 1);
    await assert.rejects(
      (await source.current()).source({ interaction: 150 }),
      /long\.json has no interaction 151: there are 150\./,
    );
    source.dispose();
    await started[0]?.ended;
  });

  it('is told from a packed file as well', async () => {
    const packed = join(folder, 'long.json.gz');
    writeFileSync(packed, gzipSync(tape));
    const source = new SourceSelector(documentOf(packed), noPrices, start);
    assert.equal(
      await (await source.current()).source({ interaction: 149 }),
      await new TapeSource(documentOf(undefined)).source({ interaction: 149 }),
    );
  });

  it('is read by one thread for whoever asks at once, and by another when it has changed', async () => {
    const document = documentOf(file);
    const source = new SourceSelector(document, noPrices, start);
    const [one, other] = await Promise.all([source.current(), source.current()]);
    assert.equal(one, other);
    document.version = 2;
    const state = await (await source.current()).state(undefined);
    assert.equal(state.type === 'transcript' && state.transcript.version, 2);
    assert.equal(started.length, 2);
    await started[0]?.ended;
    source.dispose();
  });

  it('is read here while it is not what is on disk, where there are no threads, and when it is small', async () => {
    for (const source of [
      new SourceSelector(documentOf(undefined), noPrices, start),
      new SourceSelector({ ...documentOf(undefined), largeFile: async () => file }, noPrices, undefined),
    ])
      assert.equal((await (await source.current()).state(undefined)).type, 'transcript');
    assert.equal(started.length, 0);
  });

  it('is read again when its thread has come to an end, of which whoever waits is told', async () => {
    const broken = join(folder, 'broken.js');
    writeFileSync(broken, "throw new Error('out of memory')");
    const source = new SourceSelector(documentOf(file), noPrices, (begin) =>
      start(begin, started.length === 0 ? broken : script),
    );
    const waiting = (await source.current()).state(undefined);
    await assert.rejects(waiting, /^RpcError: long\.json cannot be read: out of memory\.$/);
    assert.equal((await (await source.current()).state(undefined)).type, 'transcript');
    assert.equal(started.length, 2);
    source.dispose();
  });

  it('rejects with the reason when the file is gone', async () => {
    const source = new SourceSelector(documentOf(join(folder, 'gone.json')), noPrices, start);
    await assert.rejects((await source.current()).state(undefined), /ENOENT/);
  });
});
