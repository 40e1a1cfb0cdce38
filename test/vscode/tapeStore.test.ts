import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FolderChanges } from '../../src/host/stores/files/folderChanges';
import { ReadingQueue } from '../../src/host/stores/files/readingQueue';
import { ListingCache } from '../../src/host/stores/tapes/listingCache';
import { ProjectSecrets } from '../../src/host/stores/tapes/projectSecrets';
import { type ListRequest, TapeLister } from '../../src/host/stores/tapes/tapeLister';
import { TapeStore } from '../../src/host/stores/tapes/tapeStore';
import { startLister } from '../../src/host/tapes/readerThread';
import { eventually, file } from './workspace';

const tapeOf = (interactions: number) =>
  JSON.stringify({ version: 1, case_name: 'x', interactions: Array(interactions).fill({ response: 'Shipped.' }) });

/** Notes which files were read, and not only looked at. */
class NotingLister extends TapeLister {
  readonly read: string[] = [];

  override async list(requests: readonly ListRequest[]) {
    const results = await super.list(requests);
    const read = requests.filter((_, at) => results[at] !== undefined && results[at] !== 'unchanged');
    this.read.push(...read.map(({ uri }) => vscode.workspace.asRelativePath(uri, false)));
    return results;
  }
}

describe('the files that are to be read', () => {
  it('are so many at most, but for those that are shown, until they are asked for again', () => {
    const queue = new ReadingQueue(3);
    const uris = Array.from({ length: 6 }, (_, at) => vscode.Uri.file(`/q/${at}.json`));
    const take = (count: number) =>
      queue
        .take(count)
        .map(({ path }) => path.slice(3, 4))
        .join('');
    for (const uri of uris) queue.add(uri);
    assert.equal(take(2), '01');
    assert.equal(queue.left, 0);
    const [first] = uris;
    assert.ok(first);
    queue.putBack(first);
    assert.deepEqual([take(1), take(2)], ['2', '3']);
    assert.deepEqual([queue.size, queue.left, take(2)], [0, 3, '']);
    for (const uri of uris.slice(4)) queue.show(uri);
    assert.deepEqual([queue.size, take(1), take(9), queue.left], [2, '4', '5', 1]);
    queue.refill();
    assert.deepEqual([queue.size, queue.left, take(9)], [1, 0, '0']);
  });
});

describe('the tapes of a workspace', () => {
  const script = join(vscode.extensions.getExtension('tapedeck.tapedeck')?.extensionPath ?? '', 'dist/tapeReader.js');
  const folders = new FolderChanges();
  const lister = new NotingLister(new ProjectSecrets(), () => startLister(script));
  const tapes = new TapeStore(folders, lister);
  const path = (name: string) => file(`store/${name}`).fsPath;
  const readOf = (name: string) => lister.read.filter((one) => one === `store/${name}`).length;
  const [named, changing, emptied] = ['named.json', 'tapes/changing.tape.json', 'emptied.json'].map(file);
  assert.ok(named && changing && emptied);
  const isListed = (name: string) => tapes.uris().some((uri) => uri.path === file(`store/${name}`).path);

  before(async () => {
    mkdirSync(path('tapes'), { recursive: true });
    mkdirSync(path('fixtures'));
    for (let at = 0; at < 20; at += 1) writeFileSync(path(`tapes/t${at}.tape.json`), tapeOf(at + 1));
    writeFileSync(path('tapes/emptied.json'), '');
    writeFileSync(path('fixtures/config.json'), '{"llm": {"fixtures": "a.json", "chaos": {"dropRate": 0.1}}}');
    // In folders that were there before: VS Code may miss what changes in a new one.
    writeFileSync(named.fsPath, tapeOf(2));
    writeFileSync(changing.fsPath, tapeOf(1));
    await tapes.load();
  });
  after(() => {
    for (const owned of [tapes, lister, folders]) owned.dispose();
    for (const uri of [file('store'), named, changing, emptied]) rmSync(uri.fsPath, { recursive: true });
  });

  it('are known by their names before they are read', async () => {
    assert.ok(isListed('tapes/t7.tape.json'));
    assert.equal(tapes.get(file('store/tapes/t7.tape.json')), undefined);
    assert.ok(tapes.isUnread(file('store/tapes/t7.tape.json')));
    await tapes.readAll();
    assert.equal(tapes.get(file('store/tapes/t7.tape.json'))?.interactions, 8);
    assert.ok(!tapes.isUnread(file('store/tapes/t7.tape.json')));
  });

  it('have something in them, or have lost it', () => {
    assert.ok(!isListed('fixtures/config.json'), 'a configuration of aimock');
    assert.match(String(tapes.get(file('store/tapes/emptied.json'))?.problems[0]?.message), /file is empty/);
  });

  it('are read once, however often they are looked for', async () => {
    mkdirSync(path('later/tapes'), { recursive: true });
    writeFileSync(path('later/tapes/late.tape.json'), tapeOf(1));
    await eventually('the tape of a new folder', () => isListed('later/tapes/late.tape.json'));
    await tapes.reload();
    await tapes.readAll();
    assert.equal(readOf('tapes/t7.tape.json'), 1);
  });

  it('are read again one by one when they change', async () => {
    writeFileSync(changing.fsPath, tapeOf(9));
    await eventually('it was read', () => tapes.get(changing)?.interactions === 9);
    assert.equal(readOf('tapes/t7.tape.json'), 1);
  });

  it('are also files that something names, wherever they lie, until it names them no longer', async () => {
    tapes.name('cases', [named]);
    await eventually('it is listed', () => tapes.get(named)?.interactions === 2);
    writeFileSync(named.fsPath, tapeOf(3));
    await eventually('it is watched', () => tapes.get(named)?.interactions === 3);
    writeFileSync(named.fsPath, '');
    await eventually('it does not vanish', () => tapes.get(named)?.problems[0]?.message === 'the file is empty');
    writeFileSync(emptied.fsPath, '');
    tapes.name('reviews', [emptied]);
    await eventually('it was emptied before', () => tapes.get(emptied)?.problems[0]?.message === 'the file is empty');
    tapes.name('cases', []);
    await eventually('it is none any more', () => !tapes.uris().some(({ path }) => path === named.path));
  });

  it('are known from an earlier window as long as their files are as they were', async () => {
    rmSync(path('kept'), { recursive: true, force: true });
    const kept = new ListingCache(file('store/kept'), '1');
    const inWindow = async (version: ListingCache) => {
      const reader = new NotingLister(new ProjectSecrets(), () => startLister(script));
      const store = new TapeStore(folders, reader, async () => version);
      await store.readAll();
      const entries = store.all().map(({ uri, interactions }) => `${uri.path} ${interactions}`);
      for (const owned of [store, reader]) owned.dispose();
      return {
        entries: entries.sort(),
        read: [...new Set(reader.read.filter((path) => path.startsWith('store/tapes/')))],
      };
    };
    const first = await inWindow(kept);
    assert.ok(first.read.includes('store/tapes/t12.tape.json'));
    writeFileSync(path('tapes/t12.tape.json'), tapeOf(30));
    const second = await inWindow(kept);
    assert.deepEqual(second.read, ['store/tapes/t12.tape.json']);
    const changed = (entry: string) => entry.includes('/t12.') || first.entries.includes(entry);
    assert.ok(second.entries.length === first.entries.length && second.entries.every(changed));
    assert.ok(second.entries.some((entry) => entry.endsWith('/t12.tape.json 30')));
    const third = await inWindow(new ListingCache(file('store/kept'), '2'));
    assert.equal(third.read.length, first.read.length, 'another version reads all');
    writeFileSync(path('kept/listedTapes.json'), '{"version":"2","entries":[["');
    const fourth = await inWindow(new ListingCache(file('store/kept'), '2'));
    assert.deepEqual(fourth.entries, second.entries);
  });

  it('outlive one that takes more memory than the thread may have', async () => {
    const poor = new TapeLister(new ProjectSecrets(), () => startLister(script, 24));
    const uri = file('store/tapes/huge.tape.json');
    writeFileSync(uri.fsPath, tapeOf(90_000));
    const beside = Array.from({ length: 9 }, (_, at) => file(`store/tapes/t${at}.tape.json`));
    const [answer, ...others] = await poor.list([uri, ...beside].map((one) => ({ uri: one })));
    assert.match(String(answer !== 'unchanged' && answer?.tape?.problems[0]?.message), /was not read: .*memory/);
    const read = others.map((one) => (one === 'unchanged' ? undefined : one.tape?.interactions));
    assert.deepEqual(
      read,
      beside.map((_, at) => at + 1),
    );
    poor.dispose();
  });
});
