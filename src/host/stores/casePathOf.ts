import { STATE_FOLDER } from '../../core/project/layout';

const PLACES: readonly (readonly [prefix: string, suffix: string])[] = [
  [`${STATE_FOLDER}/runs/`, '.artifact.json'],
  [`${STATE_FOLDER}/reviews/`, '.json'],
  ['', '.baseline.json'],
];

/**
 * The case that an artifact, decision or baseline belongs to, by its path from the project's root: the way back from
 * `core/project/layout`. Undefined for any other file.
 */
export function casePathOf(path: string): string | undefined {
  const place = PLACES.find(([prefix, suffix]) => path.startsWith(prefix) && path.endsWith(suffix));
  if (place === undefined || (place[0] === '' && path.startsWith(`${STATE_FOLDER}/`))) return undefined;
  const stem = path.slice(place[0].length, -place[1].length);
  return stem === '' || stem.endsWith('/') ? undefined : `${stem}.toml`;
}
