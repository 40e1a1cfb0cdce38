import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { JsonNode } from '../../core/json/jsonNode';
import type { JsonPath } from '../../core/json/jsonPath';
import { member, readJson } from '../../core/json/readJson';
import type { Change } from '../../core/model/change';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { LineIndex } from '../../core/text/source';
import { isSystemError } from '../errors/systemError';
import { realPath } from '../files/fileStatus';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readBytes } from '../files/readFile';
import { Repository } from '../git/repository';
import { recordingOf } from './fileReview';
import { isSubject } from './recording';
import type { ListedReview } from './subject';

/** A file with pending changes, each with its line. */
interface PlacedReview {
  /** From the top of the repository, with `/`; without one, from the root of the project. */
  readonly path: string;
  readonly pending: readonly PlacedChange[];
}

interface PlacedChange {
  readonly change: Change;
  /** From 1, as the file is in the working tree. */
  readonly line: number;
}

/** The files with pending changes. The one of a run is its case. */
export async function annotatedFiles(root: string, reviews: readonly ListedReview[]): Promise<readonly PlacedReview[]> {
  const repository = await Repository.of(root);
  const top = repository?.top ?? root;
  const folder = fromRoot(top, (await realPath(root)) ?? root);
  const placed: PlacedReview[] = [];
  for (const review of reviews)
    for (const subject of [review, ...(review.results ?? [])]) {
      const changes = review.pending.filter(({ of }) => isSubject(of ?? review, subject));
      if (changes.length === 0) continue;
      const { path } = parseCaseAddress(subject.path);
      const lineOf = subject.kind === 'run' ? () => 1 : await linesOf(root, path);
      const pending = changes.map((change) => ({ change, line: lineOf(change) }));
      placed.push({ path: withSlashes(join(folder, path)), pending });
    }
  return placed;
}

/** Finds the line of a change in the later file; 1 where the file or the place is gone. */
async function linesOf(root: string, path: string): Promise<(change: Change) => number> {
  const recording = await readBytes(join(root, path), FILE_LIMITS.tape).then(
    (bytes) => recordingOf(path, bytes),
    (error) => {
      if (isSystemError(error)) return undefined;
      throw error;
    },
  );
  if (recording === undefined) return () => 1;
  const { text } = recording.file;
  const lines = new LineIndex(text);
  const value = recording.kind === 'tape' ? undefined : readJson(text).value;
  return ({ place }) => {
    const start =
      recording.kind === 'tape'
        ? recording.tape.interactions[place.after ?? -1]?.source.start
        : nodeAt(value, place.path)?.start;
    return start === undefined ? 1 : lines.position(start).line;
  };
}

/** The innermost value on a path that is there. */
function nodeAt(node: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((at, key) => {
    if (at === undefined) return undefined;
    if (typeof key === 'number') return at.type === 'array' ? (at.items[key] ?? at) : at;
    return member(at, key) ?? at;
  }, node);
}
