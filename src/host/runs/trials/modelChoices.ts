import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import type { CheckedChoice } from '../../base/askSteps';
import { type CaseEntry, tapeUris } from '../../stores/cases/caseEntry';
import { readProjectProvider } from '../../stores/cases/projectProvider';
import { distinctModels, type ModelGroup, priceText } from './modelGroups';

/** The limits for tapes that are read for a list. */
const MANY_TAPES = 100;
const LARGE_BYTES = 2_000_000;

/** The known models that a trial of these cases can use; others can be typed. */
export async function modelChoices(
  chosen: readonly CaseEntry[],
  all: readonly CaseEntry[],
  last: readonly string[],
): Promise<readonly CheckedChoice[]> {
  const kinds = await providerKinds(chosen);
  const isEditorOnly = kinds.size > 0 && [...kinds].every((kind) => kind === 'vscode_lm');
  const [inCases, onTapes, others] = await Promise.all([
    modelsOfCases(all),
    modelsOnTapes(all),
    isEditorOnly ? editorModels() : pricedModels(),
  ]);
  return withSeparators([
    { label: t('Last Trial'), models: last.map((label) => ({ label, picked: true })) },
    { label: t('In Cases of This Workspace'), models: inCases.map((label) => ({ label })) },
    { label: t('On Tapes of This Workspace'), models: onTapes.map((label) => ({ label })) },
    { label: isEditorOnly ? t('Models of This Editor') : t('Models with a List Price'), models: others },
  ]);
}

function withSeparators(groups: readonly ModelGroup[]): readonly CheckedChoice[] {
  return distinctModels(groups).flatMap(({ label, models }) => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...models,
  ]);
}

async function providerKinds(entries: readonly CaseEntry[]): Promise<ReadonlySet<string>> {
  const kinds = entries.map(async ({ listed, folder }) => {
    if (listed?.ownAgent !== undefined) return t('own agent');
    return (listed?.provider ?? (await readProjectProvider(folder.uri)))?.kind ?? 'none';
  });
  return new Set(await Promise.all(kinds));
}

async function modelsOfCases(entries: readonly CaseEntry[]): Promise<readonly string[]> {
  const roots = [...new Map(entries.map(({ folder }) => [folder.uri.toString(), folder.uri])).values()];
  const projects = await Promise.all(roots.map(readProjectProvider));
  const providers = [...entries.map(({ listed }) => listed?.provider), ...projects];
  return unique(providers.flatMap((provider) => provider?.model ?? []));
}

async function modelsOnTapes(entries: readonly CaseEntry[]): Promise<readonly string[]> {
  const uris = [...new Map(entries.flatMap(tapeUris).map((uri) => [uri.toString(), uri])).values()];
  return unique((await Promise.all(uris.slice(0, MANY_TAPES).map(modelsOnTape))).flat());
}

async function modelsOnTape(uri: vscode.Uri): Promise<readonly string[]> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > LARGE_BYTES) return [];
    const { decodeTapeFile, readTape } = await loadCore();
    const tape = readTape(decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri)));
    return unique((tape?.interactions ?? []).flatMap(({ request }) => request?.model ?? []));
  } catch (error) {
    // A tape that does not exist yet has no models.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

async function editorModels(): Promise<readonly CheckedChoice[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ vendor, family, name }) => ({ label: `${vendor}/${family}`, description: name }));
}

async function pricedModels(): Promise<readonly CheckedChoice[]> {
  const { readListPrices } = await loadCore();
  return [...readListPrices()].map(([label, price]) => ({ label, description: priceText(price) }));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
