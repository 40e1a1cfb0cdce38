import { isRecord, type Json } from '../json/json';
import { type Place, readValue } from '../schema/readValue';
import { namesOf, type Path, type Schema } from '../schema/schema';
import type { UnknownKey } from '../schema/unknownKeys';
import { t } from '../text/l10n';
import type { Problem } from '../text/source';
import type { TomlDocument } from './readToml';

/** Reads a whole document. What is wrong is added to `problems`; the value is to be used only if that is nothing. */
export function readDocument<T>(schema: Schema<T>, document: TomlDocument, problems: Problem[]): T {
  return readValue(schema, document.root, placeIn(document, problems, []));
}

/** A place of a document. A problem of the whole file marks its start only. */
function placeIn(document: TomlDocument, problems: Problem[], path: Path): Place {
  return {
    key: namesOf(path).at(-1) ?? '',
    at: (...below) => placeIn(document, problems, [...path, ...below]),
    report({ message, fix, code, at = [] }) {
      const place = [...path, ...at];
      const span = place.length === 0 ? { start: 0, end: 0 } : document.span(place);
      problems.push({ severity: 'error', message, fix, code, span });
    },
  };
}

/** Whether a document has a value at `path`, of whatever type. */
export function hasValue({ root }: TomlDocument, ...path: readonly string[]): boolean {
  let at: Json | undefined = root;
  for (const key of path) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at !== undefined;
}

/** A key that nobody reads is no error, as other programs may read it; what looks like a misspelling is a warning. */
export function unknownKeyProblem(document: TomlDocument, { key, table, close }: UnknownKey): Problem {
  const names = namesOf(table).join('.');
  return {
    severity: close === undefined ? 'info' : 'warning',
    message:
      names === '' ? t('unknown key `{0}` is ignored', key) : t('unknown key `{0}` under [{1}] is ignored', key, names),
    fix: close === undefined ? t('Correct it, or remove it.') : t('Change it to `{0}`.', close),
    ...(close !== undefined && { code: `rename:${close}` }),
    span: document.keySpan([...table, key]),
  };
}
