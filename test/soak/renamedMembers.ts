// node --import tsx test/soak/renamedMembers.ts [FILES=4]   renames each member of files of every format, as a program would have it that
// is like theirs: the samples, and where TAPEDECK_CORPUS names them, real tapes, and any other files in the folders that are named after the
// count. What is no longer read then has to be told. Prints what is lost silently; ends with 1 where a tape is blank and in order.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpExchange } from '../../src/core/model/http';
import type { Tape } from '../../src/core/model/tape';
import { detectFormat } from '../../src/core/tapes/readTape';
import { decodeTapeFile, tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { composePattern, escapePattern } from '../../src/core/text/pattern';
import { isFault } from '../../src/core/verify/finding';
import { bodyContent } from '../../src/core/wire/body/bodyContent';
import { samples } from './samples';

/** Larger files take long, and have no other members. */
const LONGEST = 60_000;
const NAMES_OF_TAPES = /\.(?:json|jsonl|ndjson|ya?ml|har|vcr|responses)$/;
/** What no person reads, or what a member is told by. */
const IDS = /^(?:id|role|key|kind|type|toolCallId|finishReason|model|api|mediaType|recordedAt)$/;

const [count = '4', ...folders] = process.argv.slice(2);
const corpus = process.env.TAPEDECK_CORPUS;

function* files(): Generator<{ readonly path: string; readonly text: string }> {
  yield* samples;
  for (const folder of [...(corpus === undefined ? [] : [corpus]), ...folders])
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !NAMES_OF_TAPES.test(path) || statSync(path).size > LONGEST) continue;
      yield { path, text: decodeTapeFile(path, readFileSync(path)).text };
    }
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

function namesIn(text: string): Set<string> {
  const pattern = isJson(text) ? /"([\w.$-]+)"\s*:/g : /^(?:\s|- )*["']?([\w.$-]+)["']?:(?:\s|$)/gm;
  return new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []));
}

function renamed(text: string, name: string): string {
  const own = escapePattern(name);
  return isJson(text)
    ? text.replace(composePattern(`"${own}"(\\s*:)`, 'g'), `"other_${name}"$1`)
    : text.replace(composePattern(`^((?:\\s|- )*["']?)${own}(["']?:(?:\\s|$))`, 'gm'), `$1other_${name}$2`);
}

/** The texts that are read of a tape; of HTTP, of which a body has what members it has, that there is a part. */
function textsOf({ interactions }: Tape): Set<string> {
  const texts = new Set<string>();
  for (const { index, request, response, declared, summary, mcp, http } of interactions) {
    const { chunks: _, ...said } = response ?? {};
    collect(http === undefined ? [request, said, declared, summary, mcp] : partsOf(http, index), texts);
  }
  return texts;
}

function partsOf({ requestBody, responseBody, requestHeaders, responseHeaders, status }: HttpExchange, index: number) {
  const parts = {
    'body of the request': bodyContent(requestBody) !== undefined,
    'body of the response': bodyContent(responseBody) !== undefined,
    'headers of the request': requestHeaders.length > 0,
    'headers of the response': responseHeaders.length > 0,
    'status of the response': status !== undefined,
  };
  return Object.entries(parts).flatMap(([part, isThere]) => (isThere ? [`<${part} ${index + 1}>`] : []));
}

function collect(value: unknown, texts: Set<string>, name = ''): void {
  if (typeof value === 'string') {
    if (!IDS.test(name) && value.trim() !== '') texts.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) collect(inner, texts, Array.isArray(value) ? name : key);
}

const faultsOf = ({ problems }: Tape): number => problems.filter(isFault).length;

const seen = new Map<string, number>();
const lost = new Map<string, string>();
const blank: string[] = [];
let tried = 0;
for (const { path, text } of files()) {
  const format = detectFormat(tapeFileFromText(text, path));
  const before = seen.get(format?.id ?? '') ?? 0;
  if (format === undefined || before >= Number(count)) continue;
  seen.set(format.id, before + 1);
  const whole = format.read(tapeFileFromText(text, path));
  const texts = textsOf(whole);
  for (const name of texts.size === 0 ? [] : namesIn(text)) {
    tried += 1;
    const other = tapeFileFromText(renamed(text, name), path);
    const tape = detectFormat(other)?.read(other);
    if (tape === undefined || faultsOf(tape) > faultsOf(whole)) continue;
    const left = textsOf(tape);
    if (left.size === 0 && faultsOf(tape) === 0) blank.push(`${format.id} ${path}: ${name}`);
    const all = [...left].join('\n');
    const gone = [...texts].filter((one) => !all.includes(one) && !all.includes(JSON.stringify(one).slice(1, -1)));
    if (gone.length > 0 || tape.interactions.length < whole.interactions.length)
      lost.set(`${format.id}: ${name}`, `${path} ${JSON.stringify(gone.slice(0, 3)).slice(0, 120)}`);
  }
}
for (const [name, where] of lost) console.log(`lost   ${name}  ${where}`);
for (const one of blank) console.log(`BLANK  ${one}`);
console.log(
  `${tried} renamed members in ${[...seen.values()].reduce((sum, one) => sum + one, 0)} files of ${seen.size} formats: ${lost.size} kinds lose something silently, ${blank.length} tapes are blank and in order`,
);
process.exitCode = blank.length === 0 ? 0 : 1;
