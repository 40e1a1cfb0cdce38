import { prettyJson } from '../../core/json/json';
import { prettyJsonPieces } from '../../core/json/prettyJsonPieces';

/**
 * What a command prints for `--json`: one document that begins with `ok`, which is true where the exit code is 0. In all of
 * them, paths are from the project's root with `/`, interactions count from 0, lines and columns from 1.
 */
export function jsonDocument(isOk: boolean, members: object): string {
  return `${prettyJson({ ok: isOk, ...members })}\n`;
}

/** The same piece by piece. A list of the members may be any iterable, of which one item at a time is held. */
export function* jsonDocumentPieces(isOk: boolean, members: object): Generator<string> {
  yield* prettyJsonPieces({ ok: isOk, ...members });
  yield '\n';
}
