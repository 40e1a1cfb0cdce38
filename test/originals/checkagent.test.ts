import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatId } from '../../src/core/model/tape';
import { redactTape } from '../../src/core/secrets/redactTape';
import { convertTape } from '../../src/core/tapes/convert';
import { hashOfCassette } from '../../src/core/tapes/formats/checkagent/edit';
import { checkagentFormat } from '../../src/core/tapes/formats/checkagent/index';
import { readTape } from '../../src/core/tapes/readTape';
import { formatById } from '../../src/core/tapes/registry';
import { type TapeFile, tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { isWritable } from '../../src/core/tapes/writableFormat';
import { applySplices } from '../../src/core/text/splice';
import { changed, oldCassette, recording } from './checkagent/cassettes';
import { Comparison } from './comparison';
import { askPython, pythonOriginals } from './pythonOriginals';
import { Seeded } from './seeded';

const COUNT = 200;
/** The formats that cassettes are converted to, and back. */
const THERE: readonly FormatId[] = ['mofa', 'tapedeck', 'loader'];

interface Description {
  readonly intact: boolean;
  readonly hash: string;
  readonly ids: readonly string[];
  readonly path: string;
}

describe('beside CheckAgent 2.2.0', function () {
  this.timeout(1_800_000);
  const seeded = new Seeded(22);
  let folder = '';
  let cassettes: readonly string[] = [];
  let ask: <T>(items: readonly object[]) => Promise<T[]>;

  before(async () => {
    const python = await pythonOriginals();
    const script = readFileSync(join(__dirname, 'checkagent/ask.py'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'tapedeck-checkagent-'));
    ask = (items) => askPython(python, script, items, folder);
    cassettes = await ask<string>(Array.from({ length: COUNT }, () => recording(seeded)));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('what it records is read without a problem, and every response is there', async () => {
    const comparison = new Comparison('recordings');
    const replayed = await ask<{ bodies: unknown[] }>(cassettes.map((text) => ({ do: 'replay', text })));
    for (const [index, text] of cassettes.entries()) {
      const tape = readTape(fileOf(text));
      const texts = replayed[index]?.bodies.map((body) => (typeof body === 'string' ? body : undefined));
      const ours = tape?.interactions.map(({ response }, at) =>
        texts?.[at] === undefined ? undefined : (response?.content ?? response?.error),
      );
      comparison.add(`recording ${index}`, [texts, []], [ours, tape?.problems]);
    }
    comparison.end();
  });

  it('integrity, hashes, ids and paths are the same, of whole cassettes and of changed ones', async () => {
    const comparison = new Comparison('integrity');
    const texts = [...cassettes, ...cassettes.map((text) => changed(seeded, text))];
    const theirs = await ask<Description | null>(texts.map((text) => ({ do: 'describe', text })));
    for (const [index, text] of texts.entries())
      comparison.add(`cassette ${index}: ${text}`, theirs[index], describeOurs(text));
    comparison.end();
  });

  it('an edited response is what it would have written itself', async () => {
    const comparison = new Comparison('edits');
    const edits = cassettes.flatMap((text, index) => edited(text, index));
    const theirs = await ask<string>(
      edits.map(({ text, interaction, said }) => ({ do: 'edit', text, interaction, new: said })),
    );
    for (const [index, { ours, text }] of edits.entries()) comparison.add(text, theirs[index], ours);
    comparison.end();
  });

  it('a redacted cassette keeps its integrity', async () => {
    const comparison = new Comparison('redactions');
    const redacted = cassettes.flatMap((text) => redactedText(text));
    const theirs = await ask<{ intact: boolean }>(redacted.map((text) => ({ do: 'verify', text })));
    for (const [index, text] of redacted.entries())
      comparison.add(text, theirs[index]?.intact, !text.includes('On its way'));
    comparison.end();
  });

  it('what other formats are converted to is written as it would write it, and replays there', async () => {
    const comparison = new Comparison('conversions');
    const converted = cassettes.flatMap((text) => THERE.flatMap((id) => thereAndBack(text, id)));
    const verified = await ask<object>(converted.map(({ text }) => ({ do: 'verify', text })));
    const replayed = await ask<{ bodies: unknown[] }>(converted.map(({ text }) => ({ do: 'replay', text })));
    for (const [index, { text, said }] of converted.entries()) {
      const served = replayed[index]?.bodies.map((body, at) => (said[at] === undefined ? undefined : spoken(body)));
      comparison.add(text, [verified[index], served], [{ intact: true, unchanged: true }, said]);
    }
    comparison.end();
  });

  it('old cassettes are migrated alike, byte for byte', async () => {
    const comparison = new Comparison('migrations');
    const old = Array.from({ length: COUNT }, () => oldCassette(seeded));
    const theirs = await ask<string>(old.map((text) => ({ do: 'migrate', text })));
    for (const [index, text] of old.entries())
      comparison.add(text, theirs[index], checkagentFormat.migrate(fileOf(text)));
    comparison.end();
  });
});

const fileOf = (text: string): TapeFile => tapeFileFromText(text, 'tests/cassettes/test_a/test_one.json');

/** As CheckAgent describes it; null for a cassette that it does not load. */
function describeOurs(text: string): Description | null {
  const hash = hashOfCassette(text);
  if (hash === undefined) return null;
  const file = fileOf(text);
  const { problems } = checkagentFormat.read(file);
  return {
    intact: !problems.some(({ message }) => message.startsWith('`content_hash` does not match')),
    hash,
    ids: idsOf(text),
    path: `c/${checkagentFormat.pathInFolder(file)}`,
  };
}

function idsOf(text: string): string[] {
  const withoutIds = text.replace(/"id": "[^"]*"(?=,\s*"sequence")/g, '"id": ""');
  const finalised = applySplices(withoutIds, checkagentFormat.finalise(fileOf(withoutIds)));
  return checkagentFormat.read(fileOf(finalised)).interactions.map(({ id = '' }) => id);
}

/** An edit of the first response that has a text. */
function edited(text: string, index: number) {
  const file = fileOf(text);
  const said = `edited ${index}: "ä" 😀\n`;
  const { interactions } = checkagentFormat.read(file);
  for (const { index: interaction } of interactions) {
    const outcome = checkagentFormat.editText(file, { type: 'response-text', interaction, text: said });
    if ('splices' in outcome) return [{ text, interaction, said, ours: applySplices(text, outcome.splices) }];
  }
  return [];
}

function redactedText(text: string): string[] {
  if (!text.includes('On its way.')) return [];
  const outcome = redactTape(fileOf(text), ['On its way.']);
  return 'splices' in outcome ? [applySplices(text, outcome.splices)] : [`refused: ${outcome.refused}`];
}

/** The cassette, written in another format and back, with the texts, or the values in JSON, of its responses. */
function thereAndBack(text: string, id: FormatId) {
  const target = formatById(id);
  const tape = checkagentFormat.read(fileOf(text));
  if (!isWritable(target) || tape.interactions.length === 0) return [];
  const there = convertTape(tape, 'test_one', target);
  if (there.kept === 0) return [];
  const back = readTape(tapeFileFromText(there.text));
  if (back === undefined) return [];
  const { text: written } = convertTape(back, 'test_one', checkagentFormat);
  const said = checkagentFormat
    .read(fileOf(written))
    .interactions.map(
      ({ response }) => (response?.isJson ? JSON.parse(response.content ?? '') : response?.content) ?? response?.error,
    );
  return said.length === 0 ? [] : [{ text: written, said }];
}

/** What a replayed body says, as `CassetteFixture.replay_response` takes it. */
function spoken(body: unknown): unknown {
  const { choices } = (body ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  return choices === undefined ? body : choices[0]?.message?.content;
}
