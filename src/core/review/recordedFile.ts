import { readArtifact, writeArtifact } from '../cases/artifactFile';
import { digest53 } from '../hash/digest53';
import type { Change, RecordedStep } from '../model/change';
import { detectFormat } from '../tapes/readTape';
import { decodeTapeFile } from '../tapes/tapeFile';
import { message, t } from '../text/l10n';
import { compareBaselines } from './compare/compareRuns';
import type { Normaliser } from './compare/normaliser';
import { beginningOf, contentDigest, differingParts } from './largeContent';
import { mergeRuns } from './merge/mergeRuns';
import { type FileMerge, mergeTapes } from './merge/mergeTapes';
import { compareTapeFiles } from './unread/compareTapeFiles';

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
