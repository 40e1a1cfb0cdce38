import { readSessions } from '../../flakestorm/session';
import { flakestormFormat } from '../../tapes/formats/flakestorm';
import { textFile } from '../../tapes/tapeFile';
import { type CaseKind, defaultTape, fileStem } from '../caseKind';

/** Replay sessions: what went wrong once, asked again and held against a contract. */
export const flakestormSessionKind: CaseKind = {
  id: 'flakestorm-session',
  label: flakestormFormat.label,
  looksLike: (text) => flakestormFormat.looksLike(textFile(text)),
  list(text, path) {
    const { value, problems } = readSessions(text);
    if (value === undefined) return { cases: [], problems };
    const isOne = value.length === 1;
    const cases = value.map(({ session: { id, name, toolResponses }, tape: named, span }) => {
      const tape = named ?? defaultTape(path, isOne ? undefined : id);
      return {
        ...(isOne ? {} : { id }),
        name: name || id || fileStem(path),
        span,
        tapes: [tape],
        recordedTape: tape,
        asks: "the agent of flakestorm.yaml, or the project's provider",
        words: toolResponses.map(({ tool }) => tool),
        tags: ['flakestorm'],
      };
    });
    return { cases, problems };
  },
};
