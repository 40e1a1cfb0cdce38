import * as vscode from 'vscode';
import type { Comparison } from '../../contracts/engine/comparisons';
import type { ChangeTexts } from '../../contracts/engine/review';
import { FILE_LIMITS, tooLargeReason } from '../../core/bytes/fileLimits';
import { CONFIG_FILE } from '../../core/project/layout';
import type { ComparedRecordings, ComparisonRules, RecordingBytes } from '../../core/review/compareRecordings';
import type { Refusal } from '../../core/review/recordings';
import { t } from '../../core/text/l10n';
import { LineIndex } from '../../core/text/source';
import { type LazyCore, loadCore } from '../../reader/loadCore';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import type { ComparisonAddress } from '../stores/reviews/reviewAddress';

/**
 * Comparisons that need no engine: of any documents that VS Code can read, such as a version in a repository on GitHub. The last
 * one is kept, because a page asks for its long texts one by one.
 */
export class DocumentComparisons {
  #last: { readonly key: string; readonly compared: ComparedRecordings } | undefined;

  async comparison(address: ComparisonAddress): Promise<Comparison> {
    const { sentToPage } = await loadCore();
    const { kind, measures, ...changes } = await this.#compared(address);
    return { kind, measures, ...sentToPage(changes) };
  }

  async texts(address: ComparisonAddress, id: string): Promise<ChangeTexts> {
    const change = (await this.#compared(address)).changes.find((one) => one.id === id);
    if (change !== undefined) return { before: change.before, after: change.after };
    throw new HumanError(t('One of the two files has changed. Open the comparison again.'));
  }

  async #compared({ before, after }: ComparisonAddress): Promise<ComparedRecordings> {
    const core = await loadCore();
    await requireComparableSizes([before.uri, after.uri], core);
    const [old, now, rules] = await Promise.all([
      readSide(before.uri),
      readSide(after.uri),
      readRules(after.uri, core),
    ]);
    const key = JSON.stringify([
      ...[before, after].map(({ uri }) => uri.toString()),
      ...[old, now].map(({ bytes }) => core.sha256Hex(bytes)),
      rules,
    ]);
    if (this.#last?.key === key) return this.#last.compared;
    const compared = notRefused(core.compareRecordings(old, now, rules));
    this.#last = { key, compared };
    return compared;
  }
}

function notRefused<T extends object>(result: T | Refusal): T {
  if ('refused' in result) throw refusal(result);
  return result;
}

function refusal({ refused, fix }: Refusal): HumanError {
  return new HumanError(`${refused}. ${fix}`);
}

/** Throws before files are read that are too large to be compared. */
async function requireComparableSizes(uris: readonly vscode.Uri[], core: LazyCore): Promise<void> {
  const sizes = await Promise.all(
    uris.map((uri) =>
      vscode.workspace.fs.stat(uri).then(
        ({ size }) => size,
        // Reading it gives the better message, and documents that are not files have no size.
        () => 0,
      ),
    ),
  );
  const refused = core.tooLargeToCompare(sizes.reduce((sum, size) => sum + size, 0));
  if (refused !== undefined) throw refusal(refused);
}

async function readSide(uri: vscode.Uri): Promise<RecordingBytes> {
  const name = fileName(uri);
  const bytes = await readDocument(uri, name);
  if (bytes.length === 0)
    throw new HumanError(
      t('One version of {0} is empty or does not exist, so there is nothing to compare. Open the other one.', name),
    );
  return { name, path: uri.path, bytes };
}

/** The bytes of a file, or the text of a document from another extension. */
async function readDocument(uri: vscode.Uri, name: string): Promise<Uint8Array> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (bytes.length > FILE_LIMITS.tape) throw new HumanError(`${name}: ${tooLargeReason(FILE_LIMITS.tape)}`);
    return bytes;
  } catch (error) {
    if (error instanceof HumanError) throw error;
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return new Uint8Array();
    return readText(uri, name);
  }
}

async function readText(uri: vscode.Uri, name: string): Promise<Uint8Array> {
  try {
    return new TextEncoder().encode((await vscode.workspace.openTextDocument(uri)).getText());
  } catch (error) {
    throw new HumanError(t('{0} cannot be read: {1}', name, error instanceof Error ? error.message : String(error)));
  }
}

/** The rules and prices of the folder of a file, or of a version of it; by default, the built-in ones. */
async function readRules(uri: vscode.Uri, { readConfig }: LazyCore): Promise<ComparisonRules> {
  const folder = folderOf(uri);
  const text = folder === undefined ? '' : await readConfigText(vscode.Uri.joinPath(folder.uri, CONFIG_FILE));
  const { value, problems } = readConfig(text);
  if (value !== undefined) return value;
  const [problem] = problems;
  const line = problem === undefined ? 1 : new LineIndex(text).position(problem.span.start).line;
  throw new HumanError(`${CONFIG_FILE}, line ${line}: ${problem?.message ?? ''}. ${problem?.fix ?? ''}`.trimEnd());
}

/** A version of a file has its path, under another scheme or authority. */
function folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
  const { getWorkspaceFolder, workspaceFolders = [] } = vscode.workspace;
  return getWorkspaceFolder(uri) ?? workspaceFolders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`));
}

async function readConfigText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return '';
    throw new HumanError(
      t('{0} cannot be read: {1}', CONFIG_FILE, error instanceof Error ? error.message : String(error)),
    );
  }
}
