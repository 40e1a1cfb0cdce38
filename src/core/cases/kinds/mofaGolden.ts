import { readGolden } from '../../scenarios/golden';
import { mofaGoldenFormat } from '../../tapes/formats/mofaGolden';
import { textFile } from '../../tapes/tapeFile';
import { type CaseKind, defaultTape } from '../caseKind';

/** Golden responses: the conversation is held again, and compared turn by turn. */
export const mofaGoldenKind: CaseKind = {
  id: 'mofa-golden',
  label: mofaGoldenFormat.label,
  looksLike: (text) => mofaGoldenFormat.looksLike(textFile(text)),
  list(text, path) {
    const { value, problems } = readGolden(text);
    if (value === undefined) return { cases: [], problems };
    const tape = defaultTape(path);
    const words = value.turns.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
    const span = { start: Math.max(0, text.indexOf('"test_name"')), end: text.length };
    return { cases: [{ name: value.name, span, tapes: [tape], recordedTape: tape, words, tags: ['mofa'] }], problems };
  },
};
