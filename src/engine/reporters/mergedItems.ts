import { parseCaseAddress } from '../../core/project/caseAddress';

/** A merged report, and the exit code of one command for all of it. */
export interface MergedReport {
  readonly text: string;
  readonly exitCode: number;
}

/** A path that two reports have. */
export class RepeatedPath {
  constructor(readonly path: string) {}
}

/** All items, sorted by the paths of their files; those of one file keep their order. A file in two lists is refused. */
export function sortedItems<T>(
  lists: readonly (readonly T[])[],
  keyOf: (item: T) => string,
): readonly T[] | RepeatedPath {
  const fileOf = (item: T): string => parseCaseAddress(keyOf(item)).path;
  const owners = new Map<string, readonly T[]>();
  for (const list of lists)
    for (const item of list) {
      const owner = owners.get(fileOf(item));
      if (owner !== undefined && owner !== list) return new RepeatedPath(fileOf(item));
      owners.set(fileOf(item), list);
    }
  const items = lists.flat().map((item) => ({ item, file: fileOf(item) }));
  return items
    .sort((left, right) => (left.file < right.file ? -1 : left.file > right.file ? 1 : 0))
    .map(({ item }) => item);
}
