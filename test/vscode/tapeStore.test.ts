import * as assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FolderChanges } from '../../src/host/stores/folderChanges';
import { ProjectSecrets } from '../../src/host/stores/projectSecrets';
import { type ListRequest, TapeLister } from '../../src/host/stores/tapeLister';
import { TapeStore } from '../../src/host/stores/tapeStore';
import { startLister } from '../../src/host/tapes/readerThread';
import { eventually, file } from './workspace';

const tapeOf = (interactions: number) =>
  JSON.stringify({ version: 1, case_name: 'x', interactions: Array(interactions).fill({ response: 'Shipped.' }) });

/** Notes which files were read, and not only looked at. */
class NotingLister extends TapeLister {
  readonly read: string[] = [];

  override async list(uri: vscode.Uri, request: ListRequest) {
    const answer = await super.list(uri, request);
    if (answer !== 'unchanged') this.read.push(vscode.workspace.asRelativePath(uri, false));
    return answer;
  }
}

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

  it('outlive one that takes more memory than the thread may have', async () => {
    const poor = new TapeLister(new ProjectSecrets(), () => startLister(script, 24));
    const uri = file('store/tapes/huge.tape.json');
    writeFileSync(uri.fsPath, tapeOf(90_000));
    const many = { isOneOfMany: true };
    const answer = await poor.list(uri, many);
    assert.match(String(answer !== 'unchanged' && answer.tape?.problems[0]?.message), /was not read: .*memory/);
    const next = await poor.list(file('store/tapes/t1.tape.json'), many);
    assert.equal(next !== 'unchanged' && next.tape?.interactions, 2);
    poor.dispose();
  });
});
