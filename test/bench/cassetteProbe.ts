import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { CaseTree } from '../../src/host/cases/caseTree';
import type { TreeNode } from '../../src/host/cases/caseTreeNodes';
import { ListingCache } from '../../src/host/stores/tapes/listingCache';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { startLister } from '../../src/host/tapes/readerThread';

const MB = 2 ** 20;
const CHANGES = 9;
const LOOK_MS = 100;
const LONGEST_READING_MS = 180_000;

/**
 * A workspace of cassettes in a real extension host. First, what the packaged extension takes of this process's memory; then,
 * with stores of its own, how long until the tree can be used, and until a changed file is shown. Milliseconds and MB.
 */
export async function run(): Promise<void> {
  const measured = { ...(await memory()), ...(await times()), 'names, and 2 kB of each, ms': leastTime() };
  writeFileSync(process.env.TAPEDECK_PROBE ?? '', JSON.stringify(measured));
}

/** How long VS Code's own search takes for the names, and to read the beginning of each file. */
function leastTime(): number {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const started = performance.now();
  const names = execFileSync(ripgrep(), ['--files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  const beginning = Buffer.alloc(2048);
  for (const name of names.trimEnd().split('\n')) {
    const file = openSync(join(root, name), 'r');
    readSync(file, beginning);
    closeSync(file);
  }
  return performance.now() - started;
}

function ripgrep(): string {
  const packaged = ['ripgrep-universal', 'ripgrep'].flatMap((name) =>
    ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) =>
      ['.', `${process.platform}-${process.arch}`].map((folder) =>
        join(vscode.env.appRoot, modules, '@vscode', name, 'bin', folder, 'rg'),
      ),
    ),
  );
  const found = packaged.find((path) => existsSync(path));
  if (found === undefined) throw new Error('VS Code has no ripgrep where it was looked for');
  return found;
}

/** Before this extension is active, the host is an empty one. */
async function memory(): Promise<Record<string, number>> {
  await quiet();
  const empty = residentMb('VmRSS');
  writeFileSync('/proc/self/clear_refs', '5');
  const threads = threadCount();
  await vscode.commands.executeCommand('tapedeck.cases.focus');
  await readersEnded(threads);
  await quiet();
  return {
    'empty extension host, MB': empty,
    'more with all tapes listed, MB': residentMb('VmRSS') - empty,
    'more while they are read, MB': residentMb('VmHWM') - empty,
  };
}

async function times(): Promise<Record<string, number>> {
  const script = join(process.env.TAPEDECK_PROJECT ?? '', 'dist/tapeReader.js');
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-kept-'));
  const openListings = async () => new ListingCache(vscode.Uri.file(folder), 'bench');
  const open = () => new WorkspaceStores(async () => [], { startLister: () => startLister(script), openListings });
  const stores = open();
  const tree = new CaseTree(stores);
  const started = performance.now();
  const roots = await tree.getChildren();
  const page = [...roots, ...(await below(tree, roots[0]))];
  await Promise.all(page.map((node) => tree.getTreeItem(node)));
  const usable = performance.now() - started;
  await stores.tapes.readAll();
  const all = performance.now() - started;
  const { shown } = tree.count;
  const changed = await shownAfter(tree, stores);
  for (const owned of [tree, stores]) owned.dispose();
  const later = open();
  const again = performance.now();
  await later.tapes.readAll();
  const second = performance.now() - again;
  const known = later.tapes.all().length;
  later.dispose();
  rmSync(folder, { recursive: true });
  return {
    'tree usable, ms': usable,
    'all tapes read, ms': all,
    'all of them in a second window, ms': second,
    'tapes listed': shown,
    'tapes listed in a second window': known,
    'changed file shown, ms': changed,
  };
}

/** The rows of the first folder that has tapes. */
async function below(tree: CaseTree, node: TreeNode | undefined): Promise<readonly TreeNode[]> {
  if (node?.type !== 'folder') return [];
  const children = await tree.getChildren(node);
  return children.some(({ type }) => type === 'tape') ? children : [...children, ...(await below(tree, children[0]))];
}

/** From the event of VS Code's file watcher to the new item of the row; the median. */
async function shownAfter(tree: CaseTree, { tapes }: WorkspaceStores): Promise<number> {
  const uris = tapes.all().filter(({ uri }) => uri.path.endsWith('.yaml'));
  const watcher = vscode.workspace.createFileSystemWatcher('**/*.yaml');
  const samples: number[] = [];
  for (const { uri, interactions } of uris.slice(0, CHANGES)) {
    const text = readFileSync(uri.fsPath, 'utf8');
    const reported = new Promise<number>((resolve) => {
      watcher.onDidChange((changed) => changed.path === uri.path && resolve(performance.now()));
    });
    const shown = new Promise<number>((resolve) => {
      tree.onDidChangeTreeData(async () => {
        const node = tree.nodeOfFile(uri);
        const item = node && (await tree.getTreeItem(node));
        // Behind the count are the model and the age.
        if (String(item?.description).split(' · ', 1)[0] === String(2 * interactions)) resolve(performance.now());
      });
    });
    const [head = '', ...items] = text.split(/(?=^- request:)/m);
    const tail = (items.pop() ?? '').split(/(?=^version: )/m);
    writeFileSync(uri.fsPath, [head, ...items, tail[0], ...items, tail[0], tail[1]].join(''));
    samples.push((await shown) - (await reported));
    await delay(100);
  }
  watcher.dispose();
  return [...samples].sort((left, right) => left - right)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

const threadCount = (): number => Number(/^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

/** On a busy machine, a process that waits for the processor looks idle: waits until the thread that reads has come and gone. */
async function readersEnded(before: number): Promise<void> {
  for (const isOver of [() => threadCount() > before, () => threadCount() <= before])
    for (let looks = 0; looks < LONGEST_READING_MS / LOOK_MS && !isOver(); looks += 1) await delay(LOOK_MS);
}

/** Waits until this process has used little of the processor for two seconds. */
async function quiet(): Promise<void> {
  for (let looks = 0, last = process.cpuUsage(); looks < 5; ) {
    await delay(400);
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    looks = (user + system) / 1000 < 40 ? looks + 1 : 0;
  }
}

function residentMb(field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'));
  return (Number(line?.[1] ?? 0) * 1024) / MB;
}
