import { type SeededSecret, seededSecrets } from './seededSecrets';
import { CLEAN, SEEDED_TAPES, type SeededTape, SLOTS, type Slot } from './seededTapes';

/** A tape with something wrong in it. */
export interface SeededDefect {
  readonly file: string;
  readonly text: string;
  readonly rule: string;
  /** Where it stands in the text; undefined where any place of the file will do. */
  readonly at?: number;
}

export function seededDefects(): SeededDefect[] {
  return [
    ...SEEDED_TAPES.flatMap((tape) => [...leaks(tape), ...truncations(tape), ...duplicates(tape)]),
    ...flippedHashes(),
    ...wrongCounts(),
    ...badBase64(),
  ];
}

const named = (tape: SeededTape, what: string): string => {
  const [, base, extension] = /^([^.]+)(\..+)$/.exec(tape.name) ?? [];
  return `${base}-${what}${extension}`;
};

const secrets = seededSecrets(7);
const LEAKS_PER_SLOT = 2;

/** Two secrets in every place of the tape where there are words. */
function leaks(tape: SeededTape): SeededDefect[] {
  return SLOTS.flatMap((slot) =>
    Array.from({ length: LEAKS_PER_SLOT }, (_, count) => leak(tape, slot, count)).flatMap((defect) => defect ?? []),
  );
}

function leak(tape: SeededTape, slot: Slot, count: number): SeededDefect | undefined {
  const { rule, secret, scheme } = nextFor(slot);
  const text = tape.write({ ...CLEAN, [slot]: planted(slot, secret, scheme) });
  const at = text.indexOf(secret.slice(0, 24));
  // Not every format stores every word.
  return at === -1 ? undefined : { file: named(tape, `${slot}-${count}`), text, rule: `secret/${rule}`, at };
}

/** What is of more than one word stands in no header, and what needs a word before it in no address. */
function nextFor(slot: Slot): SeededSecret {
  for (;;) {
    const { value: secret } = secrets.next() as IteratorYieldResult<SeededSecret>;
    const isOneWord = !/\s/.test(secret.secret);
    if (slot === 'query' ? isOneWord && secret.scheme === undefined : slot !== 'header' || isOneWord) return secret;
  }
}

function planted(slot: Slot, secret: string, scheme: string | undefined): string {
  if (slot === 'header') return `${scheme ?? 'Bearer '}${secret}`;
  return slot === 'query' ? secret : `Take this: ${scheme ?? ''}${secret} and go on.`;
}

function truncations(tape: SeededTape): SeededDefect[] {
  const text = tape.write(CLEAN);
  return [0.55, 0.95].map((part, index) => ({
    file: named(tape, `cut-${index}`),
    text: text.slice(0, Math.floor(text.length * part)),
    rule: 'any',
  }));
}

const JSON_MEMBER = /(?<!\\)"(\w+)": ?(?=["{[\d])/g;
const YAML_MEMBER = /^( +)([a-z]\w+):/gm;

/** The same name twice: the second is the one that counts. */
function duplicates(tape: SeededTape): SeededDefect[] {
  const text = tape.write(CLEAN);
  const isYaml = /\.ya?ml$/.test(tape.name);
  const isOther = /\.(?:txt|httprr)$/.test(tape.name);
  const members = isOther ? [] : [...text.matchAll(isYaml ? YAML_MEMBER : JSON_MEMBER)];
  const chosen = [members[0], members[Math.floor(members.length / 2)]].filter((member) => member !== undefined);
  return chosen.map((match, count) => {
    const [, first = '', second = ''] = match;
    const { index } = match;
    const added = isYaml ? `${first}${second}: null\n` : `"${first}": null, `;
    const at = index + added.length + (isYaml ? first.length : 0);
    const changed = text.slice(0, index) + added + text.slice(index);
    return { file: named(tape, `twice-${count}`), text: changed, rule: 'duplicate-key', at };
  });
}

function tapeNamed(name: string): SeededTape {
  const found = SEEDED_TAPES.find((tape) => tape.name === name);
  if (found === undefined) throw new Error(`there is no seeded tape ${name}`);
  return found;
}

function flippedHashes(): SeededDefect[] {
  const tape = tapeNamed('checkagent-written.json');
  const text = tape.write(CLEAN);
  return ['"content_hash": "', '"id": "'].flatMap((before) => {
    const start = text.indexOf(before) + before.length;
    return [0, 1, 5, 9, 15].map((place) => {
      const at = start + place;
      const flipped = text[at] === '0' ? '1' : '0';
      const changed = text.slice(0, at) + flipped + text.slice(at + 1);
      const which = before.replace(/\W/g, '');
      return { file: named(tape, `${which}-${place}`), text: changed, rule: 'format', at: start - 1 };
    });
  });
}

/** Numbers that do not count what they say they count. */
function wrongCounts(): SeededDefect[] {
  const [, counts = ''] = tapeNamed('trace.httprr').write(CLEAN).split('\n');
  const [asked = 0, told = 0] = counts.split(' ').map(Number);
  return [
    ...[-7, -1, 1, 9].map((off) => replaced('trace.httprr', counts, `${asked + off} ${told}`, `asked${off}`)),
    ...[-9, -1, 1, 7].map((off) => replaced('trace.httprr', counts, `${asked} ${told + off}`, `told${off}`)),
    ...['-1', '1.5', '"21"', '4294967296'].map((count, index) =>
      replaced('mofa-written.json', '"total_tokens": 21', `"total_tokens": ${count}`, `count-${index}`),
    ),
    ...[1, 7].map((count) =>
      replaced('checkagent-written.json', '"sequence": 0', `"sequence": ${count}`, `sequence-${count}`),
    ),
  ];
}

function replaced(name: string, from: string, to: string, what: string): SeededDefect {
  const tape = tapeNamed(name);
  return { file: named(tape, what), text: tape.write(CLEAN).replace(from, to), rule: 'format' };
}

const ENCODED = Buffer.from(
  JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Ünïcode' } }],
  }),
).toString('base64');

/** Bodies in base64, with a character in them that base64 has not. */
function badBase64(): SeededDefect[] {
  return BASE64_TAPES.flatMap(({ name, text }) =>
    ['*', '.', 'é'].map((bad, index) => {
      const at = text.indexOf(ENCODED) + 8 + 4 * index;
      const changed = text.slice(0, at) + bad + text.slice(at + 1);
      return { file: named({ name, write: () => '' }, `base64-${index}`), text: changed, rule: 'base64', at };
    }),
  );
}

const withBody = (name: string, change: (text: string) => string): { name: string; text: string } => ({
  name,
  text: change(tapeNamed(name).write(CLEAN)),
});

const RESPONSE_STRING = /(string|body): '\{"id":"chatcmpl-1".*'/;

export const BASE64_TAPES: readonly { readonly name: string; readonly text: string }[] = [
  withBody('vcrpy.yaml', (text) => text.replace(RESPONSE_STRING, `string: !!binary |\n        ${ENCODED}`)),
  withBody('rubyVcr.yml', (text) => text.replace(RESPONSE_STRING, `string: !binary |-\n        ${ENCODED}`)),
  withBody('goVcr.yaml', (text) => text.replace(RESPONSE_STRING, `body: !!binary |\n            ${ENCODED}`)),
  withBody('httpmock.yaml', (text) => text.replace(RESPONSE_STRING, `body_encoding: base64\n  body: ${ENCODED}`)),
  withBody('opencode.json', (text) =>
    text.replace(/"body": "\{\\"id.*"/, `"bodyEncoding": "base64", "body": "${ENCODED}"`),
  ),
  withBody('polly.har', (text) => text.replace(/"text": "\{\\"id.*"/, `"encoding": "base64", "text": "${ENCODED}"`)),
];
