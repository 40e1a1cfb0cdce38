import { decodeLatin1 } from '../bytes/latin1';
import { readArtifact, writeArtifact } from '../cases/artifactFile';
import { digest53 } from '../hash/digest53';
import type { Change, RecordedStep } from '../model/change';
import { detectFormat } from '../tapes/readTape';
import { decodeTapeFile } from '../tapes/tapeFile';
import { grouped } from '../text/counts';
import { message, t } from '../text/l10n';
import { compareBaselines } from './compare/compareRuns';
import type { Normaliser } from './compare/normaliser';
import { mergeRuns } from './merge/mergeRuns';
import { type FileMerge, mergeTapes } from './merge/mergeTapes';
import { compareTapeFiles } from './unread/compareTapeFiles';

/** Bytes that are digested at once, so that a large file is not held as text. */
const PIECE_BYTES = 2 ** 20;
/** Bytes of a side that are shown before the first difference, and from it on. */
const LEAD = 200;
const LENGTH = 2000;
/** Bytes that are shown of a side without another. */
const BEGINNING = 100_000;

/** A digest of a file's bytes; empty if there is no file. */
function contentDigest(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  const digests: string[] = [String(bytes.length)];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    digests.push(digest53(decodeLatin1(bytes.subarray(at, at + PIECE_BYTES))).toString(36));
  return digests.join();
}

/** Both sides of a file where they first differ. */
function differingParts(before: Uint8Array, after: Uint8Array): readonly [before: string, after: string] {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  return [partOf(before, Math.max(0, at - LEAD), at + LENGTH), partOf(after, Math.max(0, at - LEAD), at + LENGTH)];
}

function beginningOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : partOf(bytes, 0, BEGINNING);
}

/** A part of a file, with the size of what is left out before and after it. */
function partOf(bytes: Uint8Array, start: number, end: number): string {
  const rest = bytes.length - end;
  const shown = new TextDecoder().decode(bytes.subarray(start, end));
  return `${start > 0 ? t('({0} bytes)…', grouped(start)) : ''}${shown}${rest > 0 ? t('…({0} more bytes)', grouped(rest)) : ''}`;
}

/** Merges changes between two versions of a recorded file. Undefined where one of them is not of the same kind as the other. */
export function mergeFile(
  path: string,
  before: Uint8Array,
  after: Uint8Array,
  normaliser: Normaliser,
): FileMerge | undefined {
  const old = decodeTapeFile(path, before);
  const now = decodeTapeFile(path, after);
  const oldFormat = detectFormat(old);
  const newFormat = detectFormat(now);
  if (oldFormat !== undefined && newFormat !== undefined) {
    const left = { file: old, format: oldFormat, tape: oldFormat.read(old) };
    const right = { file: now, format: newFormat, tape: newFormat.read(now) };
    return mergeTapes(left, right, compareTapeFiles(left, right, normaliser), normaliser);
  }
  const baseline = readArtifact(old.text).value;
  const candidate = readArtifact(now.text).value;
  if (baseline === undefined || candidate === undefined) return undefined;
  const comparison = compareBaselines(baseline, candidate, normaliser);
  const { changes } = comparison;
  return {
    groups: changes.map(({ id }) => [id]),
    take: (accepted) => {
      const taken = changes.filter(({ id }) => accepted.has(id)).length;
      if (taken === 0) return { bytes: before };
      if (taken === changes.length) return { bytes: after };
      return { bytes: new TextEncoder().encode(writeArtifact(mergeRuns(baseline, candidate, comparison, accepted))) };
    },
  };
}

/** The changes with those of the groups that they belong to. */
export function withGroups(ids: readonly string[], groups: FileMerge['groups']): ReadonlySet<string> {
  const belonging = groups.filter((group) => group.some((id) => ids.includes(id)));
  return new Set([...ids, ...belonging.flat()]);
}

const KIND_TITLES = {
  tape: {
    added: message('Tape added'),
    removed: message('Tape removed'),
    edited: message('Tape replaced by another kind of file'),
  },
  baseline: {
    added: message('Baseline added'),
    removed: message('Baseline removed'),
    edited: message('Baseline replaced by another kind of file'),
  },
} as const;

/** A recorded file that was added, removed, or is no longer of its kind, as one change. `edited` is the title of the last. */
export function wholeFileChange(
  kind: 'tape' | 'baseline',
  before?: Uint8Array,
  after?: Uint8Array,
  edited = t(KIND_TITLES[kind].edited),
  recording: readonly RecordedStep[] = [],
): Change {
  const changeKind = before === undefined ? 'added' : after === undefined ? 'removed' : 'edited';
  const { texts, digested } = sidesOf(before, after);
  return {
    id: digest53(`file ${changeKind}\u0000${digested.join('\u0000')}`).toString(36),
    kind: changeKind,
    subject: 'file',
    place: { path: [] },
    weight: 'behaviour',
    title: changeKind === 'edited' ? edited : t(KIND_TITLES[kind][changeKind]),
    before: texts[0],
    after: texts[1],
    language: 'plaintext',
    repeats: [],
    ...(recording.length > 0 && { recording }),
    rules: [],
  };
}

/** That a file has another name than before. It says the same, so that nothing is to be decided. */
export function renamedFile(kind: 'tape' | 'baseline', from: string, to: string): Change {
  return {
    id: digest53(`file renamed\u0000${from}\u0000${to}`).toString(36),
    kind: 'moved',
    subject: 'file',
    place: { path: [] },
    weight: 'accounting',
    title: kind === 'tape' ? t('Tape renamed') : t('Baseline renamed'),
    before: from,
    after: to,
    language: 'plaintext',
    repeats: [],
    rules: ['name'],
  };
}

/** The most bytes of both sides that a change has as texts. */
const MAX_TEXT_BYTES = 20e6;

interface FileSides {
  readonly texts: readonly [before: string, after: string];
  /** What the id of the change is made of. */
  readonly digested: readonly string[];
}

function sidesOf(before?: Uint8Array, after?: Uint8Array): FileSides {
  if ((before?.length ?? 0) + (after?.length ?? 0) > MAX_TEXT_BYTES) {
    const texts = before && after ? differingParts(before, after) : [beginningOf(before), beginningOf(after)];
    return { texts: [texts[0] ?? '', texts[1] ?? ''], digested: [before, after].map(contentDigest) };
  }
  const texts = [textOf(before), textOf(after)] as const;
  return { texts, digested: texts };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}
