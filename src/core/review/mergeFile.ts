import { readArtifact, writeArtifact } from '../runs/artifact';
import { detectFormat } from '../tapes/readTape';
import { tapeFile } from '../tapes/tapeFile';
import { compareRuns } from './compareRuns';
import { compareTapes } from './compareTapes';
import { mergeRuns } from './mergeRuns';
import { type Merged, mergeTapes } from './mergeTapes';
import type { Normaliser } from './normaliser';

/** A recorded file with some of the changes between two versions of it: all give the later one, none the earlier, byte for byte. */
export function mergeFile(
  path: string,
  before: Uint8Array,
  after: Uint8Array,
  accepted: ReadonlySet<string>,
  normaliser: Normaliser,
): Merged {
  const [old, now] = [tapeFile(path, before), tapeFile(path, after)];
  const [oldFormat, newFormat] = [detectFormat(old), detectFormat(now)];
  if (oldFormat !== undefined && newFormat !== undefined) {
    const [left, right] = [
      { file: old, format: oldFormat, tape: oldFormat.read(old) },
      { file: now, format: newFormat, tape: newFormat.read(now) },
    ];
    return mergeTapes(left, right, compareTapes(left.tape, right.tape, normaliser), normaliser).take(accepted);
  }
  const [baseline, candidate] = [readArtifact(old.text).value, readArtifact(now.text).value];
  if (baseline === undefined || candidate === undefined) return { refused: 'It is not a tape or baseline any more.' };
  const comparison = compareRuns(baseline, candidate, normaliser);
  const taken = comparison.changes.filter(({ id }) => accepted.has(id)).length;
  if (taken === 0) return { bytes: before };
  if (taken === comparison.changes.length) return { bytes: after };
  return { bytes: new TextEncoder().encode(writeArtifact(mergeRuns(baseline, candidate, comparison, accepted))) };
}
