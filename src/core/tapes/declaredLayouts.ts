import type { DeclaredLayout } from './layoutSchema';

/** The layouts that a project declares, by its root, with `/`. */
export type DeclaredLayouts = Readonly<Record<string, readonly DeclaredLayout[]>>;

/**
 * Those of the projects that are open, which hold for the whole process, as its language does: a file is recognised wherever it is read.
 * They change rarely, and what is made of them is kept by the object.
 */
let declared: DeclaredLayouts = {};

export function currentLayouts(): DeclaredLayouts {
  return declared;
}

/** What a reading depends on besides the file; empty where no layouts are declared. */
export function layoutsStamp(): string {
  return Object.keys(declared).length === 0 ? '' : JSON.stringify(declared);
}

/** Takes those of the thread that started this one. */
export function useLayouts(layouts: DeclaredLayouts): void {
  declared = layouts;
}

/** From now on, files of a project are read by the layouts that it declares, in place of those that it declared before; returns whether they differ. */
export function declareLayouts(root: string, layouts: readonly DeclaredLayout[]): boolean {
  const before = declared[root] ?? [];
  if (JSON.stringify(before) === JSON.stringify(layouts)) return false;
  const { [root]: _, ...others } = declared;
  declared = layouts.length === 0 ? others : { ...others, [root]: layouts };
  return true;
}
