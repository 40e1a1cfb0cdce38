#!/usr/bin/env node
// node test/soak/edits.mjs [PAIRS=1000] [SEED=1] [FORMAT]
// Pairs of tapes in every editable format that differ by known edits: values that look volatile and say something, short interactions,
// what only the wire shows, and edits that were told twice or under another title. Tapes are written, and partial decisions checked, by
// plain JSON and YAML libraries. The review has to say exactly what was done. Exit code 1 when anything is wrong.
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import 'tsx/cjs';
import { CHAT_EDITS, EDITS, SCRIPT_EDITS, words } from './edits/knownEdits.mjs';
import { PROTOCOLS } from './edits/protocols.mjs';
import { SCRIPT_FORMATS } from './edits/scriptWriters.mjs';
import { exchangesOf, pairingFaults, severalCalls, writeTape } from './edits/severalCalls.mjs';
import { CHAT_FORMATS, HTTP_FORMATS } from './edits/tapeWriters.mjs';

const require = createRequire(import.meta.url);
const { Random } = require('./random.ts');
const { pairsOf, reviewBytes } = require('./edits/reviewBytes.ts');

const pairs = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? 1);

const FORMATS = { ...HTTP_FORMATS, ...CHAT_FORMATS, ...SCRIPT_FORMATS };

/** One pair: the exchanges of both sides, and what was done to the one at `place`. */
function makePair(number) {
  const random = new Random(seed * 1_000_003 + number);
  const formats = Object.keys(FORMATS).filter((name) => process.argv[4] === undefined || name === process.argv[4]);
  const format = formats[number % formats.length];
  const protocol = Object.hasOwn(HTTP_FORMATS, format) ? random.pick(Object.keys(PROTOCOLS)) : 'openai';
  const edits = pickEdits(format, protocol, random);
  const others = Array.from({ length: random.below(4) }, () => filler(protocol, random));
  const place = random.below(others.length + 1);
  const isShort = edits.some(({ name }) => name.startsWith('F3'));
  const base = {
    system: 'You help.',
    asked: isShort ? 'What is 7+2?' : `Tell me of ${words(random, 4)}`,
    said: isShort ? 'Nine' : `It is ${words(random, 6)}`,
  };
  const drawn = edits.map((edit) => edit.facts?.(random, protocol) ?? {});
  const make = (chosen) => {
    const facts = (side) =>
      Object.assign(
        {},
        base,
        ...drawn.map((all, at) => sideOf(all, side === 1 && !chosen.includes(edits[at]) ? 0 : side)),
      );
    const [old, now] = [PROTOCOLS[protocol].call(facts(0)), PROTOCOLS[protocol].call(facts(1))];
    for (const edit of edits) {
      const spare = structuredClone(now);
      edit.apply?.({ old, now: chosen.includes(edit) ? now : spare, protocol });
      if (!chosen.includes(edit)) edit.apply?.({ old: now, now: structuredClone(now), protocol });
    }
    return [old, now];
  };
  const [old, now] = make(edits);
  // Where a call has another one after it, which repeats it, each change has to be made in both.
  const goesOn = Object.hasOwn(HTTP_FORMATS, format) && PROTOCOLS[protocol].next !== undefined && random.chance(0.5);
  const around = (exchange) => [
    ...others.slice(0, place),
    exchange,
    ...(goesOn ? [PROTOCOLS[protocol].next(exchange)] : []),
    ...others.slice(place),
  ];
  const partial = (chosen) => around(make(chosen)[1]);
  return { format, protocol, edits, random, place, before: around(old), after: around(now), partial };
}

function sideOf(all, side) {
  const entries = Object.entries(all).map(([name, values]) => [name, values[side]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function pickEdits(format, protocol, random) {
  const usable = editsOf(format).filter(
    (edit) => (edit.only === undefined || edit.only.includes(protocol)) && isKept(edit, PROTOCOLS[protocol].parts),
  );
  const count = 1 + random.below(4);
  const picked = [];
  for (let tries = 0; picked.length < count && tries < 20; tries += 1) {
    const edit = random.pick(usable);
    const taken = picked.flatMap(touched);
    if (!touched(edit).some((part) => taken.includes(part))) picked.push(edit);
  }
  return picked;
}

/** The edits that a format can express. */
function editsOf(format) {
  if (Object.hasOwn(HTTP_FORMATS, format)) return EDITS;
  if (Object.hasOwn(CHAT_FORMATS, format)) return CHAT_EDITS;
  return SCRIPT_EDITS.filter((edit) => isKept(edit, SCRIPT_FORMATS[format].parts));
}

function isKept(edit, parts) {
  return parts === undefined || touched(edit).every((part) => parts.includes(part));
}

function touched({ touches, also = [] }) {
  return [...touches, ...also];
}

function filler(protocol, random) {
  return PROTOCOLS[protocol].call({
    system: 'You help.',
    asked: `Please describe ${words(random, 12)}`,
    said: `Surely: ${words(random, 20)}`,
  });
}

function judge(pair) {
  const { format, protocol, edits, before, after, place } = pair;
  const tape = FORMATS[format];
  const [old, now] = [before, after].map((exchanges) => Buffer.from(tape.write(exchanges, place)));
  if (tape.read !== undefined && !isDeepStrictEqual(readPlainly(tape, now), plainly(pair, after)))
    throw new Error(`${format}: the writer is wrong`);
  const review = reviewBytes(tape.path, old, now);
  if (review.format !== (tape.id ?? format))
    return { faults: [`read as ${review.format}`], missed: 0, invented: 0, subsets: 0 };
  const titles = { ...PROTOCOLS[protocol].titles, ...tape.titles };
  const made = edits.flatMap(({ shown }) => shown).map((title) => titles[title] ?? title);
  // Token counts are told with another change of their call, where there is one.
  const ofCall = edits.filter(({ touches }) => !(tape.hasOnePrompt && place > 0 && touches.includes('asked')));
  const isCounted = made.includes('Tokens') && ofCall.flatMap(({ shown }) => shown).length > 1;
  const expected = isCounted ? made.filter((title) => title !== 'Tokens') : made;
  const missed = without(expected, review.shown);
  const invented = without(review.shown, expected);
  const least = edits.reduce((sum, { hidden = 0 }) => sum + hidden, 0);
  const faults = [
    ...missed.map((title) => `missed: ${title}`),
    ...invented.map((title) => `invented: ${title}`),
    ...(review.counted.length === (isCounted ? 1 : 0)
      ? []
      : [`tokens with: ${review.counted.join(', ') || 'nothing'}`]),
    ...(review.hidden.length < least ? [`${review.hidden.length} ignored differences, not ${least}`] : []),
  ];
  const decided = decisionFaults(pair, tape, review, { ...titles, ...(isCounted && { Tokens: review.counted[0] }) });
  return {
    faults: [...faults, ...decided.faults],
    missed: missed.length,
    invented: invented.length,
    subsets: decided.subsets,
  };
}

/** Takes a part of the edits, and reads the file that comes of it with another reader. */
function decisionFaults(pair, tape, review, names) {
  const { edits, partial, random } = pair;
  const decidable = edits.every(({ shown, hidden = 0 }) => shown.length === 1 && hidden === 0);
  if (
    tape.read === undefined ||
    !decidable ||
    new Set(titlesOf(edits, names)).size !== review.shown.length ||
    review.shown.length < 2
  )
    return { faults: [], subsets: 0 };
  const faults = [];
  let subsets = 0;
  sums.bound += review.groups.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0);
  sums.free += review.groups.filter(({ length }) => length === 1).length;
  // Each alone, all but each, and some.
  const alone = review.groups.map((group) => [group]);
  const others = review.groups.map((group) => review.groups.filter((other) => other !== group));
  for (const groups of [...alone, ...others, review.groups.filter(() => random.chance(0.5))]) {
    const taken = groups.flat();
    const chosen = edits.filter(({ shown: [title] }) => taken.includes(names[title] ?? title));
    if (chosen.length === 0 || chosen.length === edits.length) continue;
    subsets += 1;
    const { bytes } = review.take(taken);
    const what = `${taken.join(', ')} of ${review.shown.join(', ')}`;
    if (bytes === undefined) faults.push(`refused: ${what}`);
    else if (!isDeepStrictEqual(readPlainly(tape, Buffer.from(bytes)), plainly(pair, partial(chosen))))
      faults.push(`not as decided: ${what}`);
  }
  return { faults, subsets };
}

function titlesOf(edits, names) {
  return edits.flatMap(({ shown }) => shown).map((title) => names[title] ?? title);
}

function readPlainly({ read, path }, bytes) {
  return read(path.endsWith('.gz') ? bytes : bytes.toString('utf8'));
}

/** What a format keeps of exchanges. */
function plainly({ format, place }, exchanges) {
  const script = SCRIPT_FORMATS[format];
  if (script !== undefined) return script.read(script.write(exchanges, place));
  const kept = format === 'httpmock' ? exchanges.map((one) => ({ ...one, url: new URL(one.url).pathname })) : exchanges;
  return JSON.parse(JSON.stringify(kept));
}

function without(left, right) {
  const rest = [...right];
  return left.filter((item) => {
    const at = rest.indexOf(item);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}

const sums = { bound: 0, free: 0, expected: 0, missed: 0, invented: 0, wrong: 0, subsets: 0 };
const byFormat = new Map();
const byEdit = new Map();
for (let number = 0; number < pairs; number += 1) {
  const pair = makePair(number);
  const { faults, missed, invented, subsets } = judge(pair);
  sums.expected += pair.edits.flatMap(({ shown }) => shown).length;
  sums.missed += missed;
  sums.invented += invented;
  sums.subsets += subsets;
  byFormat.set(pair.format, (byFormat.get(pair.format) ?? 0) + 1);
  for (const { name } of pair.edits) byEdit.set(name, (byEdit.get(name) ?? 0) + 1);
  if (faults.length === 0) continue;
  sums.wrong += 1;
  if (sums.wrong <= 60)
    console.log(
      `${number} ${pair.format} ${pair.protocol} [${pair.edits.map(({ name }) => name).join('; ')}]: ${faults.join('; ')}`,
    );
}

const found = sums.expected - sums.missed;
const table = (counts) => [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
console.log(`by format: ${table(byFormat)}`);
console.log(`by edit: ${table(byEdit)}`);
console.log(
  `${pairs} pairs, ${sums.expected} changes: precision ${(found / (found + sums.invented || 1)).toFixed(4)}, recall ${(found / (sums.expected || 1)).toFixed(4)}; ` +
    `${sums.subsets} partial decisions, ${sums.free} changes decided alone, ${sums.bound} bound to others; ${sums.wrong} pairs wrong`,
);

// Several calls, with one to six edits.
const together = { calls: 0, faults: 0, wrong: 0 };
const protocols = Object.keys(PROTOCOLS);
for (let number = 0; number < pairs; number += 1) {
  const random = new Random(seed * 7_000_003 + number);
  const protocol = protocols[number % protocols.length];
  const pair = severalCalls(random, protocol);
  const [before, after] = [pair.before, pair.after].map((calls) =>
    Buffer.from(writeTape(exchangesOf(calls, protocol, pair.isConversation))),
  );
  const faults = pairingFaults(pair, pairsOf('a.tape.jsonl', before, after));
  together.calls += pair.before.length;
  together.faults += faults.length;
  if (faults.length === 0) continue;
  together.wrong += 1;
  if (together.wrong <= 60)
    console.log(
      `${number} ${protocol}${pair.isConversation ? ', a conversation' : ''} of ${pair.before.length} [${pair.edits.join('; ')}]: ${faults.join('; ')}`,
    );
}
console.log(`${pairs} pairs of ${together.calls} calls: ${together.faults} paired wrongly, in ${together.wrong} pairs`);
process.exitCode = sums.wrong + together.wrong === 0 ? 0 : 1;
