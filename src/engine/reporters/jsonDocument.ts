import { prettyJson } from '../../core/json/json';

/**
 * What a command prints for `--json`: one document that begins with `ok`, which is true where the exit code is 0. In all of
 * them, paths are from the project's root with `/`, interactions count from 0, lines and columns from 1.
 */
export function jsonDocument(isOk: boolean, members: object): string {
  return `${prettyJson({ ok: isOk, ...members })}\n`;
}
