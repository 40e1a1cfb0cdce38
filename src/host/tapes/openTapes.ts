import * as vscode from 'vscode';
import { isTapePath } from '../../core/project/filePatterns';
import { loadCore } from '../../reader/loadCore';
import { ContextKey } from '../base/contextKey';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import type { TapeEntry, TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';

/** A longer text is a tape only if it is listed as one: to find out, it would have to be read. */
const MAX_READ = 5_000_000;
const SETTLE_MS = 50;

/**
 * Sets the `when` clause keys of the buttons in the title bar: the paths of the open files that are tapes, and of those
 * that a test uses.
 */
export function registerOpenTapes(tapes: TapeStore, tests: TapeTestStore): vscode.Disposable {
  const owned = new DisposableStore();
  const openTapes = new ContextKey<readonly string[]>('tapedeck.openTapes');
  const testedTapes = new ContextKey<readonly string[]>('tapedeck.openTestedTapes');
  const hasTest = async (uri: vscode.Uri): Promise<boolean> =>
    mayHaveTest(tapes.get(uri)) && (await tests.testsOf(uri)).length > 0;
  const update = async (): Promise<void> => {
    const open = await Promise.all(openFiles().map(async (uri) => ((await isTape(tapes, uri)) ? [uri] : [])));
    openTapes.set(open.flat().flatMap(resourcePaths));
    const tested = await Promise.all(open.flat().map(async (uri) => ((await hasTest(uri)) ? [uri] : [])));
    testedTapes.set(tested.flat().flatMap(resourcePaths));
  };
  const soon = owned.add(new Debouncer(SETTLE_MS, () => void update()));
  const touch = (): void => soon.add('', undefined);
  owned.add(vscode.window.tabGroups.onDidChangeTabs(touch));
  owned.add(vscode.workspace.onDidOpenTextDocument(touch));
  owned.add(tapes.onDidChange(touch));
  owned.add(tests.onDidChange(touch));
  touch();
  return owned;
}

function mayHaveTest(tape: TapeEntry | undefined): boolean {
  return tape?.tested !== undefined || tape?.test !== undefined;
}

/** What `resourcePath` may be for a file: a window that is connected to another computer writes paths as its own does. */
function resourcePaths({ fsPath, path }: vscode.Uri): readonly string[] {
  return [...new Set([fsPath, path, path.replaceAll('/', '\\')])];
}

function openFiles(): readonly vscode.Uri[] {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input) =>
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [],
  );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/** Whether a file is a listed tape, or is named like one and has the content of one. */
async function isTape(tapes: TapeStore, uri: vscode.Uri): Promise<boolean> {
  if (tapes.get(uri) !== undefined) return true;
  if (!isTapePath(uri.path)) return false;
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const text = document?.getText();
  if (text === undefined || text.length > MAX_READ) return false;
  const { detectFormat, tapeFileFromText } = await loadCore();
  return detectFormat(tapeFileFromText(text, uri.path)) !== undefined;
}
