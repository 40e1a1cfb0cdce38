import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { EarlierVersions } from '../../protocol/comparisons';
import { askChoice, BACK, type Choice } from '../base/askSteps';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import { shownTime } from '../base/shownTime';
import type { ReviewCalls } from '../engine/engineReviews';
import { type ComparedFile, type ComparisonAddress, comparisonOf, sideOf } from '../stores/reviewAddress';
import type { TapeStore } from '../stores/tapeStore';

export interface ComparisonChoice {
  readonly reviews: Pick<ReviewCalls, 'earlierVersions'>;
  readonly tapes: Pick<TapeStore, 'load' | 'uris'>;
}

const ANOTHER_FILE = Symbol('another file');
type Chosen = ComparedFile | typeof ANOTHER_FILE;

/** Asks what a file is compared with: one of its takes, a commit, or another file. */
export async function chooseComparison(uri: vscode.Uri, parts: ComparisonChoice): Promise<ComparisonAddress> {
  const [versions] = await Promise.all([parts.reviews.earlierVersions(sideOf({ uri })), parts.tapes.load()]);
  const others = parts.tapes.uris().filter((other) => other.toString() !== uri.toString());
  const items = [...versionItems(uri, versions), ...tapeItems(others), ...another()];
  const title = t('Compare {0} with…', fileName(uri));
  const chosen = await askChoice<Chosen>({ title, step: 1, totalSteps: 1 }, t('The earlier recording'), items);
  if (chosen === BACK) throw new vscode.CancellationError();
  return comparisonOf(chosen === ANOTHER_FILE ? await chooseFile(uri) : chosen, { uri });
}

/** A comparison of the two files that are selected in the Explorer, in their order there. */
export function comparisonOfSelected(selected: unknown): ComparisonAddress {
  const files = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
  const [before, after, ...more] = files;
  if (before === undefined || after === undefined || more.length > 0)
    throw new HumanError(t('Select two tapes or two runs in the Explorer first.'));
  return comparisonOf({ uri: before }, { uri: after });
}

function versionItems(uri: vscode.Uri, { takes, commits }: EarlierVersions): readonly Choice<Chosen>[] {
  return [
    ...heading(t('Takes'), takes.length),
    ...takes.map(({ take, time, size }) => ({
      label: t('$(history) Replaced {0}', shownTime(time)),
      description: `${Math.ceil(size / 1000).toLocaleString('en')} kB`,
      value: { uri, take },
    })),
    ...heading(t('Commits'), commits.length),
    ...commits.map(({ revision, time, subject }) => ({
      label: `$(git-commit) ${subject.replaceAll('$(', '$\u200b(')}`,
      description: `${revision.slice(0, 7)} · ${shownTime(time)}`,
      value: { uri, revision },
    })),
  ];
}

function tapeItems(uris: readonly vscode.Uri[]): readonly Choice<Chosen>[] {
  const items = uris.map((uri) => ({
    label: `$(file) ${fileName(uri)}`,
    description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')),
    value: { uri },
  }));
  return [...heading(t('Other Tapes'), uris.length), ...items];
}

const another = (): readonly Choice<Chosen>[] => [
  { label: '', kind: vscode.QuickPickItemKind.Separator },
  { label: t('$(folder-opened) Choose a File…'), value: ANOTHER_FILE, alwaysShow: true },
];

function heading(label: string, count: number): readonly Choice<Chosen>[] {
  return count === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }];
}

async function chooseFile(beside: vscode.Uri): Promise<ComparedFile> {
  const [uri] = (await vscode.window.showOpenDialog({ defaultUri: vscode.Uri.joinPath(beside, '..') })) ?? [];
  if (uri === undefined) throw new vscode.CancellationError();
  return { uri };
}
