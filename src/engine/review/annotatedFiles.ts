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
import type { SubjectReview } from './subject';

/** A file with pending changes, and the line of the first of them. */
interface PlacedReview {
  /** From the top of the repository, with `/`; without one, from the root of the project. */
  readonly path: string;
  /** From 1, as the file is in the working tree. */
  readonly line: number;
  readonly pending: readonly Change[];
}

/** The files with pending changes. The one of a run is its case. */
export async function annotatedFiles(
  root: string,
  reviews: readonly SubjectReview[],
): Promise<readonly PlacedReview[]> {
  const repository = await Repository.of(root);
  const top = repository?.top ?? root;
  const folder = fromRoot(top, (await realPath(root)) ?? root);
  const placed: PlacedReview[] = [];
  for (const review of reviews) {
    const { pending } = review;
    const [first] = pending;
    if (first === undefined) continue;
    const { path } = parseCaseAddress(review.path);
    const line = review.kind === 'run' ? 1 : await lineOf(root, path, first);
    placed.push({ path: withSlashes(join(folder, path)), line, pending });
  }
  return placed;
}

/** The line of a change in the later file; 1 where the file or the place is gone. */
async function lineOf(root: string, path: string, { place }: Change): Promise<number> {
  try {
    const recording = recordingOf(path, await readBytes(join(root, path), FILE_LIMITS.tape));
    if (recording === undefined) return 1;
    const { text } = recording.file;
    const start =
      recording.kind === 'tape'
        ? recording.tape.interactions[place.after ?? -1]?.source.start
        : nodeAt(readJson(text).value, place.path)?.start;
    return start === undefined ? 1 : new LineIndex(text).position(start).line;
  } catch (error) {
    if (isSystemError(error)) return 1;
    throw error;
  }
}

/** The innermost value on a path that is there. */
function nodeAt(node: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((at, key) => {
    if (at === undefined) return undefined;
    if (typeof key === 'number') return at.type === 'array' ? (at.items[key] ?? at) : at;
    return member(at, key) ?? at;
  }, node);
}
