import * as assert from 'node:assert/strict';
import { looksLikeCase } from '../../../src/core/cases/toml/looksLikeCase';
import type { Interaction } from '../../../src/core/model/interaction';
import type { Tape } from '../../../src/core/model/tape';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { isNotRead } from '../../../src/core/tapes/notRead';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, encodeTapeFile, type TapeFile } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { corpusSuite } from '../../corpus';
import { isAnswered, readSamples, type Sample } from './corpusSamples';

interface ReadSample extends Sample {
  readonly format: TapeFormat | undefined;
  readonly tape: Tape | undefined;
}

function readAll(corpus: string): ReadSample[] {
  return readSamples(corpus).map((sample) => {
    const format = detectFormat(sample.file);
    return { ...sample, format, tape: format?.read(sample.file) };
  });
}

/** A model call counts as understood when its response and, where the format stores requests, its request can be read. */
function isUnderstood(interaction: Interaction): boolean {
  const { request, http } = interaction;
  return isAnswered(interaction) && (http === undefined || (request?.messages.length ?? 0) > 0);
}

/** MoFA's TOML files are cases, which are run, not tapes. */
function isCase({ path, text }: TapeFile): boolean {
  return path.endsWith('.toml') && looksLikeCase(text);
}

/** The bytes outside the edited ranges, in order. */
function outside(text: string, ranges: readonly { start: number; end: number }[]): string {
  return applySplices(
    text,
    ranges.map(({ start, end }) => ({ start, end, text: '' })),
  );
}

corpusSuite('every file of the corpus', (corpus) => {
  const samples = readAll(corpus);

  it('is recognised, by one format only', () => {
    assert.deepEqual(
      samples.filter(({ format, file }) => format === undefined && !isCase(file)).map(({ path }) => path),
      [],
    );
    const claimedTwice = samples.flatMap(({ path, file }) => {
      const claims = formats.filter((format) => format.looksLike(file)).map(({ id }) => id);
      return claims.length > 1 ? [`${path}: ${claims.join(', ')}`] : [];
    });
    assert.deepEqual(claimedTwice, []);
  });

  it('has as many interactions as the index says', () => {
    const wrong = samples
      .filter(
        ({ tape, interactions }) =>
          interactions !== undefined && (tape?.records ?? tape?.interactions.length) !== interactions,
      )
      .map(
        ({ path, tape, interactions }) => `${path}: ${tape?.records ?? tape?.interactions.length} for ${interactions}`,
      );
    assert.deepEqual(wrong, []);
  });

  it('was read as a whole', () => {
    const unread = samples.flatMap(({ path, tape }) =>
      (tape?.problems ?? []).filter(isNotRead).map(({ message }) => `${path}: ${message}`),
    );
    assert.deepEqual(unread, []);
  });

  it('comes back byte for byte without an edit', () => {
    for (const { path, file } of samples) {
      assert.ok(Buffer.from(encodeTapeFile(file, file.text)).equals(file.bytes), path);
      // The same without the shortcut for an unchanged text. What a compressor makes of it is not ours to repeat.
      const forced = encodeTapeFile({ ...file, text: '' }, file.text);
      if (file.gzipHeader === undefined) assert.ok(Buffer.from(forced).equals(file.bytes), path);
      else assert.equal(decodeTapeFile(path, forced).text, file.text, path);
    }
  });

  it('has at least 97 % of its model calls understood; the table says which are not', () => {
    const table = new Map<string, { files: number; calls: number; understood: number }>();
    const missed: string[] = [];
    for (const { path, kind, tape } of samples) {
      const row = table.get(kind) ?? { files: 0, calls: 0, understood: 0 };
      row.files += 1;
      for (const interaction of tape?.interactions ?? []) {
        if (interaction.kind !== 'llm') continue;
        row.calls += 1;
        if (isUnderstood(interaction)) row.understood += 1;
        else missed.push(`${path}#${interaction.index}`);
      }
      table.set(kind, row);
    }
    console.table(Object.fromEntries(table));
    for (const miss of missed) console.log(`      unsupported: ${miss}`);
    const calls = [...table.values()].reduce((sum, row) => sum + row.calls, 0);
    const understood = [...table.values()].reduce((sum, row) => sum + row.understood, 0);
    assert.ok(understood / calls >= 0.97, `${understood} of ${calls}`);
  });

  it('changes only what it must when one character of a response changes', () => {
    let edited = 0;
    const refused: string[] = [];
    for (const { path, file, format, tape } of samples) {
      if (format?.editText === undefined || tape === undefined) continue;
      for (const { index, response } of tape.interactions) {
        if (!response?.content) continue;
        const text = `${response.content.slice(0, -1)}${response.content.endsWith('x') ? 'y' : 'x'}`;
        const outcome = format.editText(file, { type: 'response-text', interaction: index, text });
        if ('refused' in outcome) {
          refused.push(`${path}#${index}: ${outcome.refused}`);
          continue;
        }
        edited += 1;
        const changed = applySplices(file.text, outcome.splices);
        const again = format.read({ ...file, text: changed, bytes: encodeTapeFile(file, changed) });
        assert.equal(again.interactions[index]?.response?.content, text, `${path}#${index}`);
        const rest = outside(file.text, outcome.splices);
        assert.ok(changed.length - rest.length >= 0, path);
        for (const other of again.interactions) {
          if (other.index === index) continue;
          assert.deepEqual(other.response, tape.interactions[other.index]?.response, `${path}#${other.index} moved`);
        }
      }
    }
    console.log(`      ${edited} responses edited, ${refused.length} refused`);
    for (const line of refused) console.log(`      refused: ${line}`);
    assert.ok(edited > 0);
  });
});
