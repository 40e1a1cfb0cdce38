import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FormatId, Tape } from '../../../src/core/model/tape';
import { isMute, saysSomething } from '../../../src/core/tapes/lazyTape';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { decodeTapeFile, type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { composePattern, escapePattern } from '../../../src/core/text/pattern';
import { isFault } from '../../../src/core/verify/finding';
import { bodyContent } from '../../../src/core/wire/body/bodyContent';
import { corpusSuite } from '../../corpus';
import { readSamples } from './corpusSamples';

/** Larger files take long, and have no other members. */
const MAX_LENGTH = 60_000;
const FILES_OF_A_FORMAT = 2;

/** Members without which a file of the format is whole as well. */
const OPTIONAL: Readonly<Record<FormatId, readonly string[]>> = {
  // Of a form with a file, only its name is recorded.
  'r-vcr': ['fields'],
  // A log of which only the header was kept.
  inspect: ['samples'],
  // A script need not have answers of a model.
  'mofa-scenario': ['llm', 'responses'],
};

/** The names of the members of a JSON or YAML text. */
function namesIn({ text }: TapeFile): Set<string> {
  const pattern = isJson(text) ? /"([\w.$-]+)"\s*:/g : /^(?:\s|- )*["']?([\w.$-]+)["']?:(?:\s|$)/gm;
  return new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []));
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** The text as another program would write it that has another name for a member. */
function renamed({ text }: TapeFile, name: string): string {
  const own = escapePattern(name);
  return isJson(text)
    ? text.replace(composePattern(`"${own}"(\\s*:)`, 'g'), `"other_${name}"$1`)
    : text.replace(composePattern(`^((?:\\s|- )*["']?)${own}(["']?:(?:\\s|$))`, 'gm'), `$1other_${name}$2`);
}

/** How many bodies, headers, and states are in the exchanges of a tape. */
function partsOf({ interactions }: Tape): number {
  return interactions
    .flatMap(({ http }) => (http === undefined ? [] : [http]))
    .reduce((sum, { requestBody, responseBody, requestHeaders, responseHeaders, status }) => {
      const bodies = [requestBody, responseBody].filter((body) => bodyContent(body) !== undefined);
      const headers = [requestHeaders, responseHeaders].filter(({ length }) => length > 0);
      return sum + bodies.length + headers.length + (status === undefined ? 0 : 1);
    }, 0);
}

/** Whether every call of a model that was recorded as messages says nothing. */
function isSilent({ interactions }: Tape): boolean {
  return interactions.every((one) => isMute(one) && !(one.request?.messages ?? []).some(saysSomething));
}

function faultsOf({ problems }: Tape): number {
  return problems.filter(isFault).length;
}

/** Their recorders keep no error, or no stream: there is no call in them. */
const WITHOUT_CALLS =
  /(?:agentape|agentcassette|cendor_cassette|llm_cassette|pytest_agentreplay)\/openai-error|agenttape\/openai-toolstream/;

corpusSuite('a tape in which a member has another name', (corpus) => {
  it('is told where a part of an exchange, or all that was said, is not found by that', () => {
    const lost: string[] = [];
    const seen = new Map<FormatId, number>();
    for (const { path, file } of readSamples(corpus)) {
      const format = detectFormat(file);
      const count = seen.get(format?.id ?? '') ?? 0;
      if (format === undefined || file.text.length > MAX_LENGTH || count >= FILES_OF_A_FORMAT) continue;
      seen.set(format.id, count + 1);
      const whole = format.read(file);
      for (const name of namesIn(file)) {
        if (OPTIONAL[format.id]?.includes(name)) continue;
        const other = tapeFileFromText(renamed(file, name), path);
        const claimed = detectFormat(other);
        const tape = claimed?.read(other);
        if (tape === undefined || faultsOf(tape) > faultsOf(whole)) continue;
        const isLess = partsOf(tape) < partsOf(whole) || (isSilent(tape) && !isSilent(whole));
        if (isLess) lost.push(`${path}: ${name}`);
      }
    }
    assert.ok(seen.size > 20);
    assert.deepEqual(lost, []);
  });

  it('never makes a file of another recorder one that is blank and in order', () => {
    const folder = join(corpus, '_new');
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const blank = names.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const file = decodeTapeFile(path, readFileSync(path));
      const tape = detectFormat(file)?.read(file);
      const isBlank = tape?.interactions.every(
        ({ response, http, mcp }) => http?.status === undefined && mcp === undefined && !saysSomething(response),
      );
      return tape !== undefined && isBlank && faultsOf(tape) === 0 && !WITHOUT_CALLS.test(path)
        ? [relative(folder, path)]
        : [];
    });
    assert.deepEqual(blank, []);
  });
});
