import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunEvent } from '../../src/contracts/engine/engine';
import { Log } from '../../src/host/base/log';
import { CaseTree } from '../../src/host/cases/caseTree';
import { EngineClient } from '../../src/host/engine/engineClient';
import { CaseRunner } from '../../src/host/runs/testExplorer/caseRunner';
import { CaseTestItems } from '../../src/host/runs/testExplorer/caseTestItems';
import { watchReplays } from '../../src/host/runs/testExplorer/watchReplays';
import { WorkspaceStores } from '../../src/host/stores/workspaceStores';
import { noDebugger } from '../harness/noDebugger';

/** The extension's own stores, tree and test items in a real extension host, timed. Milliseconds, but for the counts. */
export async function run(): Promise<void> {
  const measured: Record<string, number> = {};
  const stores = new WorkspaceStores(async () => []);
  const { cases, tapes } = stores;
  const tree = new CaseTree(stores);
  const controller = vscode.tests.createTestController('tapedeck.bench', 'Bench');
  const items = new CaseTestItems(controller, cases, stores.states);
  cases.onDidChange((uris) => items.update(uris));

  const started = performance.now();
  const startedCpu = process.cpuUsage();
  const casesLoaded = cases.load().then(() => performance.now() - started);
  const roots = await tree.getChildren();
  const [folder] = roots;
  const children = folder === undefined ? [] : await tree.getChildren(folder);
  await Promise.all(children.slice(0, 60).map((node) => tree.getTreeItem(node)));
  measured['tree with its first page'] = performance.now() - started;
  measured['processor time of that'] = processorMs(startedCpu);
  await tapes.readAll();
  measured['all tapes too'] = performance.now() - started;
  measured['Test Explorer'] = await casesLoaded;
  measured.cases = cases.all().length;
  measured.tapes = tapes.all().length;
  measured['test items'] = [...controller.items].reduce((sum, [, item]) => sum + item.children.size, 0);
  measured['from node_modules, .venv or target'] = cases
    .all()
    .filter(({ relativePath }) => /node_modules|\.venv|target\//.test(relativePath)).length;

  const samples: number[] = [];
  for (const { file } of cases.all().slice(0, 9)) {
    const began = performance.now();
    await cases.refresh([file]);
    samples.push(performance.now() - began);
  }
  measured['one changed file'] = median(samples);

  measured['saved to replayed under watch'] = median(await watch(stores));

  await new Promise((resolve) => setTimeout(resolve, 3000));
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  measured['idle, processor time in 10 s'] = processorMs(before);
  writeFileSync(process.env.TAPEDECK_PROBE ?? '', JSON.stringify(measured));
}

/** From the save of a case to the end of its replay, in an engine that runs already. */
async function watch({ cases, runs, states }: WorkspaceStores): Promise<readonly number[]> {
  const engine = new EngineClient(join(process.env.TAPEDECK_PROJECT ?? '', 'dist/engine.js'), new Log(), {
    chat: () => Promise.reject(new Error('no model is asked here')),
    ...noDebugger,
  });
  const runner = new CaseRunner(engine, runs, () => Promise.reject(new Error('nothing is recorded here')));
  const token = new vscode.CancellationTokenSource().token;
  const [entry] = cases.all();
  if (entry === undefined) return [];
  const running: Promise<unknown>[] = [];
  let finished: (() => void) | undefined;
  const replay = (event: RunEvent): void => {
    if (event.type === 'finished') finished?.();
  };
  await runner.run([entry], { mode: 'replay' }, token, replay);
  const watcher = watchReplays({
    cases,
    states,
    watched: () => cases.all(),
    replay: (entries) => void running.push(runner.run(entries, { mode: 'replay' }, token, replay)),
  });
  const document = await vscode.workspace.openTextDocument(entry.file);
  const samples: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(entry.file, new vscode.Position(0, 0), '# saved\n');
    await vscode.workspace.applyEdit(edit);
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    const began = performance.now();
    await document.save();
    const saved = performance.now();
    await done;
    samples.push(performance.now() - Math.min(began, saved));
  }
  watcher.dispose();
  await Promise.all(running);
  engine.dispose();
  return samples;
}

/** What this process has used since `before`, which a busy machine does not change as it does the clock. */
function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(samples: readonly number[]): number {
  return [...samples].sort((left, right) => left - right)[Math.floor(samples.length / 2)] ?? 0;
}
