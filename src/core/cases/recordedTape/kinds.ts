import type { TapeFormat } from '../../tapes/format';
import { checkagentFormat } from '../../tapes/formats/checkagent/index';
import { reynFormat } from '../../tapes/formats/reyn/index';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { baseName, type CaseKind, type CaseKindId, fileStem } from '../caseKind';

/** A tape that is a case by itself: it is replayed from its first recording to its last. */
function recordedTapeKind(id: CaseKindId, format: TapeFormat, tag: string): CaseKind {
  return {
    id,
    label: format.label,
    looksLike: (text, path) => format.looksLike(tapeFileFromText(text, path)),
    list(text, path) {
      const { name, interactions } = format.read(tapeFileFromText(text, path));
      const words = new Set(interactions.flatMap(({ request }) => request?.model ?? []));
      const listed = {
        // CheckAgent names a cassette by its test, with the file that is told beside it anyway.
        name: name?.replace(/^.*\.py::/, '') || fileStem(path).replace(/\.jsonl$/i, ''),
        span: { start: 0, end: 0 },
        tapes: [baseName(path)],
        words: [...words],
        tags: [tag],
      };
      // What is wrong with it is said of the tape.
      return { cases: [listed], problems: [] };
    },
  };
}

/** CheckAgent's cassettes. */
export const checkagentKind = recordedTapeKind('checkagent', checkagentFormat, 'checkagent');
/** Reyn's fixtures. */
export const reynKind = recordedTapeKind('reyn', reynFormat, 'reyn');
