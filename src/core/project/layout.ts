/** The places of Tapedeck's files. Computes paths with `/` only, without access to a file system. */

/** Runs, previous takes and decisions; never committed. */
export const STATE_FOLDER = '.tapedeck';
/** The results of the last runs, relative to the project's root. */
export const RUNS_FOLDER = `${STATE_FOLDER}/runs`;
export const CONFIG_FILE = 'tapedeck.toml';
/** Copies of tapes with edited responses, of which forks are being recorded; relative to the project's root. */
const FORKS_FOLDER = `${STATE_FOLDER}/forks`;

/** Such a copy, in a folder of its own. */
export function forkBasePath(id: string, tapeName: string): string {
  return `${FORKS_FOLDER}/${id}/${tapeName}`;
}

/** Whether this is the path of such a copy, relative to the project's root. */
export function isForkBasePath(path: string): boolean {
  return /^\.tapedeck\/forks\/[\da-f]+\/(?!\.{1,2}$)[^/\\]+$/.test(path);
}

/** What proxies are recording, relative to the project's root. */
export const JOURNAL_FOLDER = `${STATE_FOLDER}/journal`;

/** The search index of a project's tapes, relative to the project's root. */
export const SEARCH_INDEX_PATH = `${STATE_FOLDER}/cache/search.json`;

/** Folders of dependencies and generated files, which are never searched for cases or tapes. */
export const IGNORED_FOLDERS = [
  'node_modules',
  '.git',
  '.venv',
  'venv',
  'target',
  'dist',
  'out',
  'build',
  STATE_FOLDER,
] as const;

/**
 * `a/b.toml` → `.tapedeck/runs/a/b.artifact.json`, relative to the project's root. Cases of other kinds keep their
 * extension, and one of several in a file its id: `a/b.yaml#id` → `.tapedeck/runs/a/b.yaml#id.artifact.json`.
 */
export function artifactPath(casePath: string): string {
  return `${RUNS_FOLDER}/${withoutExtension(casePath)}.artifact.json`;
}

/** The record of the last run of a case: its result, and the files that it holds for. Relative to the project's root. */
export function runRecordPath(casePath: string): string {
  return `${RUNS_FOLDER}/${withoutExtension(casePath)}.result.json`;
}

/** The case of such a record, both relative to the project's root; undefined for any other file. */
export function caseOfRunRecord(path: string): string | undefined {
  const found = /^\.tapedeck\/runs\/(.*[^/])\.result\.json$/.exec(path);
  return found === null ? undefined : withExtension(found[1] ?? '');
}

/** Decisions, relative to the project's root. */
export const REVIEWS_FOLDER = `${STATE_FOLDER}/reviews`;

/** The decisions about the artifact of a case, relative to the project's root. */
export function decisionPath(casePath: string): string {
  return `${REVIEWS_FOLDER}/${withoutExtension(casePath)}.json`;
}

/** The decisions about a recorded file: a baseline shares them with its case. Relative to the project's root. */
export function decisionPathOf(path: string): string {
  const casePath = owningCasePath(path);
  if (casePath !== undefined) return decisionPath(casePath);
  return `${REVIEWS_FOLDER}/${nameInState(path)}.decisions.json`;
}

/** What the last decisions did to files, so that they can be undone; relative to the project's root. */
export const UNDO_FOLDER = `${STATE_FOLDER}/undo`;

/** The previous takes of tapes, relative to the project's root. */
export const TAKES_FOLDER = `${STATE_FOLDER}/takes`;

/** The folder of the previous takes of a tape, relative to the project's root. */
export function takesFolder(tapePath: string): string {
  return `${TAKES_FOLDER}/${tapePath}`;
}

/** Whether this is the file name of a take as it is kept. */
export function isTakeName(name: string): boolean {
  return /^[\dT.-]+Z\.json$/.test(name);
}

/** The time in the path of a take, in milliseconds since 1970; -1 where there is none. */
export function takeTime(take: string | undefined): number {
  const [, day, time] = /([\d-]{10}T)([\d-]{8}\.\d{3}Z)\.json$/.exec(take ?? '') ?? [];
  const parsed = Date.parse(`${day}${time?.replaceAll('-', ':')}`);
  return Number.isNaN(parsed) ? -1 : parsed;
}

/** The recordings of the last stability check of a case, relative to the project's root. */
export function stabilityFolder(casePath: string): string {
  return `${STATE_FOLDER}/stability/${folderNameOf(casePath)}`;
}

/** The samples of trials, relative to the project's root. */
export const TRIALS_FOLDER = `${STATE_FOLDER}/trials`;
/** The cases and models of the last trial, relative to the project's root. */
export const LAST_TRIAL_PATH = `${TRIALS_FOLDER}/trial.json`;

/**
 * The samples of a case with a model, relative to the project's root: `a/b.toml` → `.tapedeck/trials/a/b/gpt-4o-KEY`. The key
 * changes with all that such a recording depends on.
 */
export function trialCellFolder(casePath: string, model: string, key: string): string {
  const name = model.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return `${TRIALS_FOLDER}/${folderNameOf(casePath).replaceAll(':', '_')}/${name}-${key}`;
}

/** A sample of a trial, as the path of one of its files names it. */
interface SampleInPath {
  /** The last part of the path of its case, without extension. */
  readonly caseName: string;
  /** The model's name, with characters that a path cannot have replaced. */
  readonly model: string;
  readonly sample: number;
}

/** The sample that a file below `.tapedeck/trials` belongs to; undefined for any other path. */
export function sampleInPath(path: string): SampleInPath | undefined {
  const found = /(?:^|\/)\.tapedeck\/trials\/(?:.*\/)?([^/]+)\/([^/]+)-[^-/]+\/sample-(\d+)\/[^/]+$/.exec(path);
  if (found === null) return undefined;
  const [, caseName = '', model = '', sample] = found;
  return { caseName, model, sample: Number(sample) };
}

/** `a/b.toml` → `a/b.baseline.json`: beside the case, committed with it. */
export function baselinePath(casePath: string): string {
  return `${withoutExtension(casePath)}.baseline.json`;
}

/** Whether this is the path of a baseline. */
export function isBaselinePath(path: string): boolean {
  return path.endsWith('.baseline.json');
}

/**
 * The case of an artifact, decision or baseline: the inverse of the functions above, on paths relative to the project's root.
 * Undefined for any other file.
 */
export function owningCasePath(path: string): string | undefined {
  const inState = /^\.tapedeck\/(?:runs\/(.*[^/])\.artifact|reviews\/(.*[^/]))\.json$/.exec(path);
  if (inState !== null) return withExtension(inState[1] ?? inState[2] ?? '');
  const beside = path.startsWith(`${STATE_FOLDER}/`) ? null : /^(.*[^/])\.baseline\.json$/.exec(path);
  return beside === null ? undefined : withExtension(beside[1] ?? '');
}

function withExtension(path: string): string {
  return /\.(?:ya?ml|jsonl?|(?:toml|ya?ml|json)(?:\.\w+)?#[^/]+)$/i.test(path) ? path : `${path}.toml`;
}

/**
 * What belongs to a file outside of the project, such as a tape that a case names, is kept inside: no path climbs out of its folder, or
 * has a drive, whose colon no name of Windows has.
 */
function nameInState(path: string): string {
  return path.replaceAll(/(?<![^/])\.\.(?=\/)/g, '(up)').replace(/^([A-Za-z]):(?=\/)/, '($1)');
}

function withoutExtension(path: string): string {
  return path.replace(/\.toml$/i, '');
}

/** The name of a case's folder. Without their extension, `..toml` would be the folder around it, and `...toml` the one above that. */
function folderNameOf(casePath: string): string {
  const name = withoutExtension(casePath);
  return /(?:^|\/)\.{0,2}$/.test(name) ? casePath : name;
}

/** The path of a file relative to a folder, with `/`. Both are absolute paths with `/`, on one file system. */
export function relativePath(folder: string, file: string): string {
  const from = folder.split('/').filter((part) => part !== '');
  const to = file.split('/').filter((part) => part !== '');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
