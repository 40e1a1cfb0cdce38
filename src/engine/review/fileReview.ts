import { GZIPPED_TAPE } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import type { Change, ChangeSet, RecordedStep } from '../../core/model/change';
import { isTapePath } from '../../core/project/filePatterns';
import { isBaselinePath } from '../../core/project/layout';
import { compareBaselines } from '../../core/review/compare/compareRuns';
import { compareTapes } from '../../core/review/compare/compareTapes';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { pendingInFile } from '../../core/review/decisions';
import { renamedFile, wholeFileChange } from '../../core/review/recordedFile';
import { runSteps, tapeSteps } from '../../core/review/recordedSteps';
import { COMPARED_GZIP, MAX_COMPARED_BYTES, type RecordedTape } from '../../core/review/recordings';
import { compareTapeFiles } from '../../core/review/unread/compareTapeFiles';
import { valuesOf } from '../../core/review/unread/fileValues';
import { isOwnReport } from '../../core/tapes/ownReport';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { conflictProblem, UNREADABLE } from '../../core/tapes/unreadable';
import { t } from '../../core/text/l10n';
import type { Problem } from '../../core/text/source';
import { readLfsPointer, writeLfsPointer } from '../../core/verify/lfsPointer';
import { lfsDigest } from '../git/lfs';
import { decisionFileOf, type OwnDecisions } from './decisionFile';
import { type ReviewSides, seenOf, stampOf } from './stamp';
import type { SubjectReview } from './subject';

/** The review of a tape or baseline. */
export interface FileReview extends SubjectReview {
  readonly kind: 'tape' | 'baseline';
}

/** The two sides of a file that differs. */
export interface ChangedSides {
  /** From the root, with `/`. */
  readonly path: string;
  /** The earlier path, if the file was renamed. */
  readonly from?: string;
  /** The path under which it was decided about before a commit renamed it. */
  readonly decidedAs?: string | undefined;
  readonly sides: ReviewSides;
  readonly against: 'commit' | 'take';
}

/** Tells of a file that does not show it by its name whether it is a tape, because a case names it. */
export interface KnownTapes {
  has(path: string): Promise<boolean>;
}

/**
 * The review of a changed file; undefined when it is neither a tape nor a baseline. `shorten` makes of a change what a list keeps
 * of it.
 */
export async function reviewFile(
  root: string,
  { path, from, decidedAs = from, sides, against }: ChangedSides,
  normaliser: Normaliser,
  own: OwnDecisions,
  caseTapes: KnownTapes,
  shorten?: Shorten,
): Promise<FileReview | undefined> {
  const seen = seenOf(sides);
  const stamp = stampOf(seen, normaliser);
  const found =
    differencesOf({ path, sides, stamp }, normaliser, shorten) ?? (await unreadCaseTape(path, sides, caseTapes));
  if (found === undefined) return undefined;
  const { kind, changes } = found;
  // What was decided before the file got another name stays decided.
  const earlier = decidedAs === undefined ? {} : await own.read(decisionFileOf(root, { kind, path: decidedAs }));
  const decisions = { ...earlier, ...(await own.read(decisionFileOf(root, { kind, path }))) };
  return {
    path,
    from,
    ...found,
    hidden: [...found.hidden, ...(from === undefined ? [] : [renamedFile(kind, from, path)])],
    sides: seen,
    against,
    stamp,
    decisions,
    pending: pendingInFile(changes, decisions),
  };
}

const differencesOf = memoisedCompare(compareSides);

/** The change of a file that cannot be read, and that a case names as its tape. */
async function unreadCaseTape(path: string, { before, after }: ReviewSides, caseTapes: KnownTapes): Promise<Compared> {
  if (!(await caseTapes.has(path))) return undefined;
  const change = wholeFileChange('tape', before, after, t('It cannot be read'));
  return { kind: 'tape', changes: [change], hidden: [], notices: [] };
}

/** The changes between two versions of a file, by their ids. */
export function changesBetween(path: string, sides: ReviewSides, normaliser: Normaliser): readonly string[] {
  if (sides.before === undefined && sides.after === undefined) return [];
  const found = differencesOf({ path, sides, stamp: stampOf(seenOf(sides), normaliser) }, normaliser);
  return found?.changes.map(({ id }) => id) ?? [];
}

function compareSides({ path, sides }: ComparedSides, normaliser: Normaliser) {
  if (isSame(sides)) return compareSame(path, sides);
  const pointers = asLfsPointers(sides);
  if (pointers !== undefined) return comparePointers(path, pointers);
  if (sizeOf(sides) > MAX_COMPARED_BYTES) return compareLargeFiles(path, sides);
  const { before, after } = sides;
  const old = before && recordingOf(path, before, COMPARED_GZIP);
  const now = after && recordingOf(path, after, COMPARED_GZIP);
  const kind = (now ?? old)?.kind ?? (isReportAdded(path, sides) ? undefined : kindOfName(path));
  if (kind === undefined) return undefined;
  if (after !== undefined && conflictOf(path, after) !== undefined) {
    const change = wholeFileChange(kind, before, after, t('Unresolved merge conflict'));
    return { kind, changes: [change], hidden: [], notices: [] };
  }
  if (old?.kind === 'tape' && now?.kind === 'tape') {
    if (isWhole(old) && isWhole(now)) return { kind, ...changeSetOf(compareTapeFiles(old, now, normaliser)) };
    const compared = changeSetOf(compareTapes(old.tape, now.tape, normaliser));
    const rest = wholeFileChange(kind, before, after, t('Tape changed; it can only be read in part'));
    return { kind, ...compared, changes: [...compared.changes, rest] };
  }
  if (old?.kind === 'baseline' && now?.kind === 'baseline')
    return { kind, ...changeSetOf(compareBaselines(old.artifact, now.artifact, normaliser)) };
  const title = (now ?? old) === undefined ? t('It cannot be read') : undefined;
  const recording = old !== undefined && now !== undefined ? [] : stepsOf(now ?? old);
  return { kind, changes: [wholeFileChange(kind, before, after, title, recording)], hidden: [], notices: [] };
}

/** The problem of a recorded file with two versions in it, of which nobody has chosen one; undefined for any other. */
export function conflictOf(path: string, bytes: Uint8Array): Problem | undefined {
  const file = decodeTapeFile(path, bytes, COMPARED_GZIP);
  return isBaselinePath(path) || detectFormat(file) === UNREADABLE ? conflictProblem(file) : undefined;
}

function isSame({ before, after }: ReviewSides): boolean {
  return (
    before?.length === after?.length &&
    before !== undefined &&
    after !== undefined &&
    Buffer.compare(before, after) === 0
  );
}

/** A file that was renamed, and nothing else. */
function compareSame(path: string, { after }: ReviewSides) {
  const kind = kindOfName(path) ?? (after && recordingOf(path, after, COMPARED_GZIP)?.kind);
  return kind && ({ kind, changes: [], hidden: [], notices: [] } as const);
}

/** A new file that one of our own commands printed. If it replaced a tape, the tape was lost. */
function isReportAdded(path: string, { before, after }: ReviewSides): boolean {
  return before === undefined && after !== undefined && isOwnReport(decodeTapeFile(path, after).text);
}

/** The changes without what they were found in, which would stay in memory with them. */
function changeSetOf({ changes, hidden, notices }: ChangeSet): ChangeSet {
  return { changes, hidden, notices };
}

/** Whether the text of a tape is compared to its end, understood by its reader or not. What was left out may be what has changed. */
function isWhole(recorded: RecordedTape): boolean {
  return (
    recorded.tape.problems.every(({ severity }) => severity !== 'error') || valuesOf(recorded, false) !== undefined
  );
}

/** Two versions that are too large to compare in detail, as one change. */
function compareLargeFiles(path: string, sides: ReviewSides) {
  const kind = kindOfName(path) ?? kindOfContent(path, sides);
  if (kind === undefined) return undefined;
  const title =
    kind === 'tape'
      ? t('Tape changed; too large to compare in detail')
      : t('Baseline changed; too large to compare in detail');
  const notice = t(
    'Both versions together are larger than {0} MB, so they are not compared in detail. Accept or reject the file as a whole; `tapedeck diff` compares more.',
    MAX_COMPARED_BYTES / 1e6,
  );
  const change = wholeFileChange(kind, sides.before, sides.after, title);
  const notices = change.kind === 'edited' ? [notice] : [];
  return { kind, changes: [change], hidden: [], notices } as const;
}

/** Only one side is read: a file that has become a tape, or was one, is one too. */
function kindOfContent(path: string, { before, after }: ReviewSides): FileReview['kind'] | undefined {
  return [after, before].some((side) => side !== undefined && detectFormat(decodeTapeFile(path, side)) !== undefined)
    ? 'tape'
    : undefined;
}

function stepsOf(recording: ReturnType<typeof recordingOf>): readonly RecordedStep[] {
  if (recording === undefined) return [];
  return recording.kind === 'tape' ? tapeSteps(recording.tape) : runSteps(recording.artifact);
}

/** The content of a Git LFS pointer may not have been fetched, so only the path shows that the file is recorded. */
function comparePointers(path: string, { before, after }: ReviewSides) {
  const kind = kindOfName(path);
  if (kind === undefined) return undefined;
  const title = t('Git LFS pointer; fetch it with git lfs pull to compare');
  const change = wholeFileChange(kind, before, after, title);
  return { kind, changes: [change], hidden: [], notices: [] } as const;
}

/** What a file is that cannot be read, where its name shows it. */
function kindOfName(path: string): FileReview['kind'] | undefined {
  if (isBaselinePath(path)) return 'baseline';
  return isTapePath(path) ? 'tape' : undefined;
}

/** A baseline or tape read from its bytes; undefined when it is neither. */
export function recordingOf(path: string, bytes: Uint8Array, gzipLimits = GZIPPED_TAPE) {
  const file = decodeTapeFile(path, bytes, gzipLimits);
  const artifact = isBaselinePath(path) ? readArtifact(file.text).value : undefined;
  if (artifact !== undefined) return { kind: 'baseline', file, artifact } as const;
  const format = detectFormat(file);
  return format && ({ kind: 'tape', file, format, tape: format.read(file) } as const);
}

/** Bytes of the files whose comparisons are kept; an editor requests the same ones again after every decision. */
const MAX_MEMO_BYTES = 32e6;

interface ComparedSides {
  readonly path: string;
  readonly sides: ReviewSides;
  readonly stamp: string;
}

type Compared = (ChangeSet & { readonly kind: 'tape' | 'baseline' }) | undefined;
type Compare = (file: ComparedSides, normaliser: Normaliser) => Compared;
type Shorten = (change: Change) => Change;

interface MemoEntry {
  readonly compared: Compared;
  readonly isShortened: boolean;
  readonly bytes: number;
}

/**
 * Keeps comparisons by path and stamp, up to `MAX_MEMO_BYTES` of compared files. Those of lists may have been shortened, and
 * are made again when one is opened.
 */
function memoisedCompare(
  compare: Compare,
): (file: ComparedSides, normaliser: Normaliser, shorten?: Shorten) => Compared {
  const known = new Map<string, MemoEntry>();
  let kept = 0;
  const forget = (key: string): void => {
    kept -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  const entryOf = (file: ComparedSides, normaliser: Normaliser, shorten?: Shorten): MemoEntry => {
    const compared = compare(file, normaliser);
    const bytes = sizeOf(file.sides);
    if (shorten === undefined || compared === undefined) return { compared, isShortened: false, bytes };
    const { changes, hidden, ...rest } = compared;
    const short = { ...rest, changes: changes.map(shorten), hidden: hidden.map(shorten) };
    return { compared: short, isShortened: true, bytes: sizeOfTexts([...short.changes, ...short.hidden]) };
  };
  return (file, normaliser, shorten) => {
    const key = `${file.path}\0${file.stamp}`;
    const old = known.get(key);
    const isEnough = old !== undefined && (shorten !== undefined || !old.isShortened);
    const found = isEnough ? old : entryOf(file, normaliser, shorten);
    forget(key);
    known.set(key, found);
    kept += found.bytes;
    for (const oldest of known.keys()) {
      if (kept <= MAX_MEMO_BYTES || oldest === key) break;
      forget(oldest);
    }
    return found.compared;
  };
}

function sizeOfTexts(changes: readonly Change[]): number {
  return changes.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
}

function sizeOf({ before, after }: ReviewSides): number {
  return (before?.length ?? 0) + (after?.length ?? 0);
}

/**
 * Both sides of a file as pointers, where at least one is only a pointer; undefined if none is. So a difference has the
 * same id whether its content has been fetched or not, and a decision on it holds in both.
 */
function asLfsPointers({ before, after }: ReviewSides): ReviewSides | undefined {
  if (![before, after].some((side) => side !== undefined && readLfsPointer(side) !== undefined)) return undefined;
  return { ...(before && { before: pointerTo(before) }), ...(after && { after: pointerTo(after) }) };
}

function pointerTo(bytes: Uint8Array): Uint8Array {
  if (readLfsPointer(bytes) !== undefined) return bytes;
  return Buffer.from(writeLfsPointer(lfsDigest(bytes), bytes.length));
}
