import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
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
import { readLfsPointer, writeLfsPointer } from '../../core/verify/lfsPointer';
import { readTextIfThere } from '../files/readFile';
import { lfsDigest } from '../git/blobs';
import type { FileSides } from '../git/changedFiles';
import { sidesStamp } from './stamp';

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
  sides: FileSides,
  normaliser: Normaliser,
): Promise<FileReview | undefined> {
  const found = differencesOf(path, sides, normaliser);
  if (found === undefined) return undefined;
  const decisions = await decisionsAbout(root, path);
  return { path, ...found, decisions, pending: pendingInFile(found.changes, decisions) };
}

export async function decisionsAbout(root: string, path: string): Promise<Decisions> {
  return readDecisions((await readTextIfThere(join(root, decisionPathOf(path)), FILE_LIMITS.decisions)) ?? '');
}

const differencesOf = memoisedCompare(compareSides);

function compareSides(path: string, sides: FileSides, normaliser: Normaliser) {
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
function comparePointers(path: string, { before, after }: FileSides) {
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

/** Bytes of the files whose comparisons are kept; an editor asks for the same ones again after every decision. */
const MAX_MEMO_BYTES = 128e6;

type Compared = (ChangeSet & { readonly kind: 'tape' | 'baseline' }) | undefined;
type Compare = (path: string, sides: FileSides, normaliser: Normaliser) => Compared;

interface MemoEntry {
  readonly compared: Compared;
  readonly bytes: number;
}

/** The same comparison, which of the same bytes is made once, as long as there is room for it. */
export function memoisedCompare(compare: Compare): Compare {
  const known = new Map<string, MemoEntry>();
  let kept = 0;
  const forget = (key: string): void => {
    kept -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  return (path, sides, normaliser) => {
    const key = [path, sidesStamp(sides), JSON.stringify(normaliser.rules, regExpText)].join('\0');
    const found = known.get(key) ?? { compared: compare(path, sides, normaliser), bytes: sizeOf(sides) };
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

function sizeOf({ before, after }: FileSides): number {
  return (before?.length ?? 0) + (after?.length ?? 0);
}

function regExpText(_: string, value: unknown): unknown {
  return value instanceof RegExp ? String(value) : value;
}

/**
 * Both sides of a file as pointers, where one is nothing more; undefined where none is. So a difference is the same,
 * whether its content has been fetched or not, and what was decided about it holds in both.
 */
export function asLfsPointers({ before, after }: FileSides): FileSides | undefined {
  if (![before, after].some((side) => side !== undefined && readLfsPointer(side) !== undefined)) return undefined;
  return { ...(before && { before: pointerTo(before) }), ...(after && { after: pointerTo(after) }) };
}

function pointerTo(bytes: Uint8Array): Uint8Array {
  if (readLfsPointer(bytes) !== undefined) return bytes;
  return Buffer.from(writeLfsPointer(lfsDigest(bytes), bytes.length));
}
