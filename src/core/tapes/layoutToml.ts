import { tomlTable } from '../toml/writeToml';
import type { DeclaredLayout } from './layoutSchema';

/** A layout as a table of `tapedeck.toml`. */
export function layoutToml(layout: DeclaredLayout): string {
  const members = Object.entries(layout).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return tomlTable('[[tapes.layout]]', Object.fromEntries(members));
}
