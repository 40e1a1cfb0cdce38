import * as vscode from 'vscode';
import type { EarlierVersions } from '../../contracts/engine/comparisons';
import { isBaselinePath, owningCasePath, RUNS_FOLDER } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { askChoice, BACK, type Choice } from '../base/askSteps';
import { type CommandArgument, parseCommandArgument } from '../base/commandArguments';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import { shownTime } from '../base/shownTime';
import { takeOf } from '../base/takeUri';
import type { ReviewCalls } from '../engine/engineReviews';
import type { OwnState } from '../stores/files/ownState';
import { findFiles } from '../stores/files/workspaceFiles';
import { type ComparedFile, type ComparisonAddress, comparisonOf, sideOf } from '../stores/reviews/reviewAddress';
import { reviewUris } from '../stores/reviews/reviewStore';
import type { TapeStore } from '../stores/tapes/tapeStore';

export interface ComparisonChoice {
  readonly reviews: Pick<ReviewCalls, 'earlierVersions'>;
  readonly tapes: Pick<TapeStore, 'load' | 'uris'>;
  readonly own: Pick<OwnState, 'owns'>;
}

const ANOTHER_FILE = Symbol('another file');
type Chosen = ComparedFile | typeof ANOTHER_FILE;

/** Asks what a recording is compared with: a take of it, a commit, another recording of its kind, or any other file. */
export async function chooseComparison(chosen: ComparedFile, parts: ComparisonChoice): Promise<ComparisonAddress> {
  const { uri } = chosen;
  const [versions, others] = await Promise.all([
    parts.reviews.earlierVersions(sideOf({ uri })),
    isRun(uri) ? otherRuns(uri, parts.own) : otherTapes(uri, parts.tapes),
  ]);
  const items = [...versionItems(chosen, versions), ...others, ...another()];
  const title = t('Compare {0} with…', fileName(uri));
  const other = await askChoice<Chosen>({ title, step: 1, totalSteps: 1 }, t('The earlier recording'), items);
  if (other === BACK) throw new vscode.CancellationError();
  return inOrder(other === ANOTHER_FILE ? await chooseFile(uri) : other, chosen);
}

/** A comparison of the two recordings that are selected in the Explorer or in the tree, in their order there. */
export function comparisonOfSelected(selected: readonly unknown[]): ComparisonAddress {
  const files = selected.flatMap((one) => recordingOf(parseCommandArgument(one)) ?? []);
  const [before, after, ...more] = files;
  if (before === undefined || after === undefined || more.length > 0)
    throw new HumanError(t('Select two tapes, takes or runs in the Explorer or in the Tapedeck view first.'));
  return inOrder(before, after);
}

/** The recording that a file, a row of the tree, or a document of a take stands for: of a case's row, its last run. */
export function recordingOf(argument: CommandArgument): ComparedFile | undefined {
  if (argument.type !== 'uri' && argument.type !== 'node') return undefined;
  const uri = argument.type === 'uri' ? argument.uri : argument.node.resource;
  const take = takeOf(uri);
  if (take !== undefined) return { uri: take.tape, take: take.take };
  const run = argument.type === 'node' && argument.node.type === 'run' ? reviewUris(uri) : undefined;
  return { uri: run?.artifact ?? uri };
}

/** Of the recordings of one tape, the older one comes first: a take before the tape that has replaced it. */
function inOrder(one: ComparedFile, other: ComparedFile): ComparisonAddress {
  const isOneTape = one.uri.toString() === other.uri.toString() && one.revision === undefined;
  const isLater = isOneTape && other.take !== undefined && (one.take ?? LAST) > other.take;
  return isLater ? comparisonOf(other, one) : comparisonOf(one, other);
}

/** After the name of every take, which begins with its year. */
const LAST = 'now';

function versionItems(
  { uri, take: own }: ComparedFile,
  { takes, commits }: EarlierVersions,
): readonly Choice<Chosen>[] {
  const others = takes.filter(({ take }) => take !== own);
  return [
    ...(own === undefined ? [] : [{ label: t('$(file) Current Tape'), value: { uri } }]),
    ...heading(t('Takes'), others.length),
    ...others.map(({ take, time, size }) => ({
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

async function otherTapes(uri: vscode.Uri, tapes: ComparisonChoice['tapes']): Promise<readonly Choice<Chosen>[]> {
  await tapes.load();
  const others = tapes.uris().filter((other) => other.toString() !== uri.toString());
  return [...heading(t('Other Tapes'), others.length), ...others.map((other) => fileItem(other))];
}

function isRun(uri: vscode.Uri): boolean {
  return owningCasePath(vscode.workspace.asRelativePath(uri, false)) !== undefined;
}

/** The last runs of cases, and their baselines. */
async function otherRuns(uri: vscode.Uri, own: ComparisonChoice['own']): Promise<readonly Choice<Chosen>[]> {
  const last = ownRuns(own);
  const { files } = await findFiles('**/*.baseline.json', isBaselinePath);
  const others = [...(await last), ...files].filter((other) => other.toString() !== uri.toString());
  others.sort((one, other) => (one.path < other.path ? -1 : 1));
  return [...heading(t('Runs and Baselines'), others.length), ...others.map((other) => fileItem(other))];
}

async function ownRuns(own: ComparisonChoice['own']): Promise<readonly vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(`${RUNS_FOLDER}/**/*.artifact.json`, null);
  const owned = found.map(async (uri) => {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    return root !== undefined && (await own.owns(root, vscode.workspace.asRelativePath(uri, false))) ? [uri] : [];
  });
  return (await Promise.all(owned)).flat();
}

function fileItem(uri: vscode.Uri): Choice<Chosen> {
  const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'));
  return { label: `$(file) ${fileName(uri)}`, description: folder, value: { uri } };
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
