import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';
import { mutate, randomFrom } from './mutations';

const FORMATS = ['gemini-cli', 'vercel-ai', 'codex', 'claude-code', 'inspect', 'ws-frames', 'xai-proto', 'mcp-stdio'];
/** Small files break in as many ways as large ones, and faster. */
const MAX_BYTES = 24_000;
const ROUNDS = 25;

corpusSuite('the formats that are only read, over broken files', (folder) => {
  it('never throw', () => {
    const paths = readFileSync(join(folder, 'INDEX.tsv'), 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[0] ?? '');
    const random = randomFrom(42);
    let count = 0;
    for (const path of paths.filter((name) => name !== '')) {
      const bytes = readFileSync(join(folder, path));
      const format = detectFormat(decodeTapeFile(path, bytes));
      if (format === undefined || !FORMATS.includes(format.id) || bytes.length > MAX_BYTES) continue;
      for (let round = 0; round < ROUNDS; round += 1) {
        const file = decodeTapeFile(path, mutate(bytes, random));
        for (const candidate of formats) if (FORMATS.includes(candidate.id)) candidate.looksLike(file);
        const tape = format.read(file);
        // Messages are gathered when they are asked for: that must not fail either.
        for (const { request, source } of tape.interactions) {
          assert.ok(Array.isArray(request?.messages ?? []));
          assert.ok(source.start >= 0 && source.end >= source.start && source.end <= file.text.length);
        }
        for (const { span } of tape.problems) assert.ok(span.end >= span.start && span.end <= file.text.length, path);
        count += 1;
      }
    }
    assert.ok(count > 500);
  });
});
