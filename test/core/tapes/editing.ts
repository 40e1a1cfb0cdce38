import assert from 'node:assert/strict';
import type { FormatId, Tape } from '../../../src/core/model/tape';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { plainInteraction } from '../../../src/core/tapes/lazyTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, encodeTapeFile, type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { applySplices, type Splice } from '../../../src/core/text/splice';

/** Every run reads and writes whole files. */
export const RUNS = { numRuns: 40 };

/** The only format that claims a file. */
export function formatOf(file: TapeFile): TapeFormat {
  const claims = formats.filter((format) => format.looksLike(file));
  assert.deepEqual(
    claims.map(({ id }) => id),
    claims.slice(0, 1).map(({ id }) => id),
    file.path,
  );
  const [format] = claims;
  assert.ok(format, `no format claims ${file.path || file.text.slice(0, 80)}`);
  return format;
}

/** Reads a text that must be of this format, and in order. */
export function readAs(id: FormatId, text: string, path = ''): Tape {
  const file = tapeFileFromText(text, path);
  const format = formatOf(file);
  assert.equal(format.id, id);
  const tape = format.read(file);
  assert.deepEqual(
    tape.problems.filter(({ severity }) => severity !== 'info'),
    [],
  );
  return tape;
}

export interface Edited {
  readonly text: string;
  readonly dependents: readonly string[];
  readonly tape: Tape;
  readonly splices: readonly Splice[];
}

/**
 * Changes the text of a response and checks what every edit has to keep: the new file reads as exactly that text, and all
 * other interactions, and all else of this one except for its response and the headers of it, are unchanged.
 */
export function editAnswer(file: TapeFile, interaction: number, text: string): Edited {
  const format = formatOf(file);
  const before = format.read(file);
  const outcome = format.editText?.(file, { type: 'response-text', interaction, text });
  assert.ok(outcome && !('refused' in outcome), JSON.stringify(outcome));
  const changed = applySplices(file.text, outcome.splices);
  const tape = format.read(decodeTapeFile(file.path, encodeTapeFile(file, changed)));
  assert.equal(tape.interactions[interaction]?.response?.content, text);
  assert.deepEqual(summaryOf(tape, interaction), summaryOf(before, interaction));
  return { text: changed, dependents: outcome.dependents, tape, splices: outcome.splices };
}

/** Everything in a tape that the edit of one response must not change. Positions move. */
function summaryOf({ interactions, problems, ...tape }: Tape, edited: number): unknown {
  return {
    tape,
    problems: problems.map(({ span: _, ...problem }) => problem),
    interactions: interactions.map(plainInteraction).map(({ source: _, response, http, ...interaction }, index) => {
      if (index !== edited) return { ...interaction, response, http };
      const { content: _content, parts, chunks, ...rest } = response ?? {};
      const { responseBody, responseHeaders = [], ...exchange } = http ?? {};
      return {
        ...interaction,
        response: { ...rest, parts: parts?.filter(({ type }) => type !== 'text'), chunks: chunks?.length },
        exchange: { ...exchange, form: responseBody?.type },
        headers: responseHeaders.filter(([name]) => name.toLowerCase() !== 'content-length'),
      };
    }),
  };
}
