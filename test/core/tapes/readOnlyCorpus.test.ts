import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Interaction } from '../../../src/core/model/interaction';
import type { FormatId, Tape } from '../../../src/core/model/tape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, encodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';

const MINE: Readonly<Record<string, FormatId>> = {
  'gemini-cli-responses-jsonl': 'gemini-cli',
  'vercel-ai-fixtures': 'vercel-ai',
  'codex-rollout-jsonl': 'codex',
  'claude-code-jsonl': 'claude-code',
  'inspect-eval': 'inspect',
  'ws-frames-yaml': 'ws-frames',
  'xai-proto-yaml': 'xai-proto',
  'mcp-stdio-replay': 'mcp-stdio',
};
/** Formats that store what was asked. */
const WITH_REQUESTS: readonly FormatId[] = ['codex', 'claude-code', 'inspect', 'ws-frames', 'xai-proto'];

/** A stock vcrpy cassette among the others: the session it opens is not in it. */
const IS_VCRPY = /test_openai_ws__test_webrtc_sideband_audio_turn\.yaml$/;

/** Model calls without a response that has content, and why. */
const SILENT: readonly (readonly [RegExp, string])[] = [
  [/representative_messages\.jsonl$/, 'the session ends with a prompt without a response'],
  [/session_b\.jsonl$/, 'the session ends with a prompt without a response'],
  [/anthropic-refusal-no-details\.json$/, 'the model refused without a word: stop_reason is all there is'],
];
/** Files that are broken where they come from. */
const BROKEN: readonly (readonly [RegExp, string])[] = [
  [/parallel-tool-call-wrapper\.1\.chunks\.txt$/, 'its lines lack their last brace'],
];

interface Row {
  readonly path: string;
  readonly format: FormatId;
  readonly wanted: string;
}

corpusSuite('the formats that are only read, over the corpus', (folder) => {
  const rows = indexOf(folder);

  for (const format of Object.values(MINE)) {
    const own = rows.filter((row) => row.format === format);
    if (own.length === 0) continue;
    it(`reads ${own.length} files of ${format}`, () => {
      for (const row of own) checkFile(folder, row);
    });
  }
});

function indexOf(folder: string): readonly Row[] {
  const lines = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [path = '', , , , name = '', , , wanted = ''] = line.split('\t');
    const format = MINE[name];
    return format === undefined || IS_VCRPY.test(path) ? [] : [{ path, format, wanted }];
  });
}

function checkFile(folder: string, { path, format, wanted }: Row): void {
  const bytes = readFileSync(join(folder, path));
  const file = decodeTapeFile(path, bytes);
  const claims = formats.filter((candidate) => candidate.looksLike(file));
  assert.deepEqual(
    claims.map(({ id }) => id),
    [format],
    path,
  );
  const tape = claims[0]?.read(file);
  assert.ok(tape);
  assert.equal(tape.problems.length === 0, !BROKEN.some(([name]) => name.test(path)), path);
  if (wanted !== '') assert.equal(`${countOf(tape)}`, wanted, path);
  const silent = tape.interactions.filter((interaction) => interaction.kind === 'llm' && !hasContent(interaction));
  assert.equal(silent.length, SILENT.some(([name]) => name.test(path)) ? 1 : 0, path);
  if (WITH_REQUESTS.includes(format)) {
    for (const { request } of tape.interactions) assert.ok((request?.messages.length ?? 0) > 0, path);
  }
  assert.deepEqual(Buffer.from(encodeTapeFile(file, file.text)), Buffer.from(bytes), path);
}

/** INDEX.tsv counts the lines of logs, the pieces of streams and the frames of sockets. */
function countOf({ records, interactions }: Tape): number {
  return records ?? interactions.length;
}

function hasContent({ response }: Interaction): boolean {
  return response !== undefined && (response.content !== null || response.toolCalls.length > 0 || 'error' in response);
}
