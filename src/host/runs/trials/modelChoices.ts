import * as vscode from 'vscode';
import { byMaker, isChatModel } from '../../../core/prices/modelMakers';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import type { CheckedChoice } from '../../base/askSteps';
import { type CaseEntry, tapeUris } from '../../stores/cases/caseEntry';
import { readProjectProvider } from '../../stores/cases/projectProvider';
import { distinctModels, type ModelGroup, type OfferedModel, priceText } from './modelGroups';

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
  const inUse = [...last, ...inCases, ...onTapes];
  return withSeparators([
    { label: t('Last Trial'), models: last.map((label) => ({ label, picked: true })) },
    { label: t('In Cases of This Workspace'), models: inCases.map((label) => ({ label })) },
    { label: t('On Tapes of This Workspace'), models: onTapes.map((label) => ({ label })) },
    ...(isEditorOnly ? [{ label: t('Models of This Editor'), models: others }] : makerGroups(others, inUse)),
  ]);
}

/** The models by who makes them. */
function makerGroups(models: readonly OfferedModel[], inUse: readonly string[]): readonly ModelGroup[] {
  return [...byMaker(models, inUse)].map(([maker, own]) => ({ label: maker ?? t('Other Models'), models: own }));
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
    const chats = (tape?.interactions ?? []).filter(({ kind }) => kind === 'llm');
    return unique(chats.flatMap(({ request }) => request?.model ?? []));
  } catch (error) {
    // A tape that does not exist yet has no models.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

async function editorModels(): Promise<readonly OfferedModel[]> {
  const models = await vscode.lm.selectChatModels();
  return models.map(({ vendor, family, name }) => ({ label: `${vendor}/${family}`, description: name }));
}

async function pricedModels(): Promise<readonly OfferedModel[]> {
  const { readListPrices } = await loadCore();
  return [...readListPrices()]
    .filter(([label]) => isChatModel(label))
    .map(([label, price]) => ({ label, description: priceText(price) }));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
