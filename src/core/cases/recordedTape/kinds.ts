import type { TapeAsCase, TapeFormat } from '../../tapes/format';
import { formats } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { composePattern, escapePattern } from '../../text/pattern';
import { baseName, fileStem, type RecordedTapeKind } from '../caseKind';

/** The kinds of case that are tapes: each format whose tapes are cases by themselves is one. */
export const recordedTapeKinds: readonly RecordedTapeKind[] = formats.flatMap((format) =>
  format.asCase === undefined ? [] : [recordedTapeKind(format, format.asCase)],
);

function recordedTapeKind(format: TapeFormat, { tag, caseName, folder, extension }: TapeAsCase): RecordedTapeKind {
  return {
    id: format.id,
    label: format.label,
    format,
    places: composePattern(`(?:^|/)${escapePattern(folder)}/(?:.*/)?[^/]*\\.${escapePattern(extension)}$`),
    looksLike: (text, path) => format.looksLike(tapeFileFromText(text, path)),
    list(text, path) {
      const { name = '', interactions } = format.read(tapeFileFromText(text, path));
      const words = new Set(interactions.flatMap(({ request }) => request?.model ?? []));
      const listed = {
        name: (caseName?.(name) ?? name) || fileStem(path).replace(/\.jsonl$/i, ''),
        span: { start: 0, end: 0 },
        tapes: [baseName(path)],
        words: [...words],
        tags: [tag],
      };
      // Its problems are reported for the tape.
      return { cases: [listed], problems: [] };
    },
  };
}
