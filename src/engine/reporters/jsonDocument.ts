import { prettyJson } from '../../core/json/json';
import { prettyJsonPieces } from '../../core/json/prettyJsonPieces';

/**
 * What a command prints for `--json`: one document that begins with `ok`, which is true where the exit code is 0. In all of
 * them, paths are from the project's root with `/`, interactions count from 0, lines and columns from 1. Its type is named: one of
 * `documents.ts`, which are published.
 */
export function jsonDocument<T extends object = never>(isOk: boolean, members: Omit<T, 'ok'>): string {
  return `${prettyJson({ ok: isOk, ...members })}\n`;
}

/** A document whose lists are generated while they are printed. */
export type Streamed<T> = { readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Iterable<Item> : T[K] };

/** The same piece by piece. A list of the members may be any iterable, of which one item at a time is held. */
export function* jsonDocumentPieces<T extends object = never>(
  isOk: boolean,
  members: Omit<Streamed<T>, 'ok'>,
): Generator<string> {
  yield* prettyJsonPieces({ ok: isOk, ...members });
  yield '\n';
}
