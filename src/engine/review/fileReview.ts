import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArtifact } from '../../core/cases/artifactFile';
import type { Change, ChangeSet } from '../../core/model/change';
import { isTapePath, mayBeTape } from '../../core/project/filePatterns';
import { decisionPathOf } from '../../core/project/layout';
import { compareRuns } from '../../core/review/compare/compareRuns';
import { compareTapes } from '../../core/review/compare/compareTapes';
import type { Normaliser } from '../../core/review/compare/normaliser';
import { type Decisions, pendingInFile, readDecisions } from '../../core/review/decisions';
import { wholeFileChange } from '../../core/review/recordedFile';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { unlessMissing } from '../recording/fileErrors';
import { asLfsPointers } from './lfsContent';
import { remembered } from './rememberedDifferences';

/** Both sides of a file, as bytes; absent where the file is not. */
export interface TwoSides {
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** What changed in one recorded file, and what is decided about it. */
export interface FileReview extends ChangeSet {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly kind: 'tape' | 'baseline';
  readonly decisions: Decisions;
  readonly pending: readonly Change[];
}

/** May a changed file be one that is reviewed? By its name; what it is its content tells. */
export function mayBeReviewed(path: string): boolean {
  return mayBeTape(path) && !path.startsWith('../') && !/(?:^|\/)\.tapedeck\//.test(path);
}

/** The review of a changed file; undefined when it is neither a tape nor a baseline. */
export async function reviewFile(
  root: string,
  path: string,
  sides: TwoSides,
  normaliser: Normaliser,
): Promise<FileReview | undefined> {
  const found = differencesOf(path, sides, normaliser);
  if (found === undefined) return undefined;
  const decisions = await decisionsAbout(root, path);
  return { path, ...found, decisions, pending: pendingInFile(found.changes, decisions) };
}

export async function decisionsAbout(root: string, path: string): Promise<Decisions> {
  return readDecisions((await unlessMissing(readFile(join(root, decisionPathOf(path)), 'utf8'))) ?? '');
}

const differencesOf = remembered(compareSides);

function compareSides(path: string, sides: TwoSides, normaliser: Normaliser) {
  const pointers = asLfsPointers(sides);
  if (pointers !== undefined) return comparePointers(path, pointers);
  const { before, after } = sides;
  const [old, now] = [before && recordingOf(path, before), after && recordingOf(path, after)];
  const kind = (now ?? old)?.kind;
  if (kind === undefined) return undefined;
  if (old?.kind === 'tape' && now?.kind === 'tape') return { kind, ...compareTapes(old.tape, now.tape, normaliser) };
  if (old?.kind === 'baseline' && now?.kind === 'baseline')
    return { kind, ...compareRuns(old.artifact, now.artifact, normaliser) };
  return { kind, changes: [wholeFileChange(kind, before, after)], hidden: [], notices: [] };
}

/** What LFS keeps, and has not been fetched, may be anything: only its place can tell that it is recorded. */
function comparePointers(path: string, { before, after }: TwoSides) {
  const kind = path.endsWith('.baseline.json') ? 'baseline' : isTapePath(path) ? 'tape' : undefined;
  if (kind === undefined) return undefined;
  const change = wholeFileChange(kind, before, after, 'Git LFS pointer; fetch it with git lfs pull to compare');
  return { kind, changes: [change], hidden: [], notices: [] } as const;
}

export function recordingOf(path: string, bytes: Uint8Array) {
  const file = decodeTapeFile(path, bytes);
  const artifact = path.endsWith('.baseline.json') ? readArtifact(file.text).value : undefined;
  if (artifact !== undefined) return { kind: 'baseline', artifact } as const;
  const format = detectFormat(file);
  return format && ({ kind: 'tape', file, format, tape: format.read(file) } as const);
}
