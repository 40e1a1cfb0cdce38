import type { Run } from './programs';

/** What a run comes to, by aspect, without what differs in every run: times, ids, ports, and temporary folders. */
export type Outcome = ReadonlyMap<string, string>;

export function outcomeOf(run: Run): Outcome {
  const outcome = new Map<string, string>();
  outcome.set('exit code', `${run.code}`);
  outcome.set('stdout', comparable(run.stdout, run));
  outcome.set('stderr', meaningOf(run));
  run.requests.forEach(({ line, authorization, contentType, body }, index) => {
    outcome.set(`request ${index + 1}`, [line, authorization, contentType, comparable(body, run)].join('\n'));
  });
  for (const [path, bytes] of run.files) outcome.set(`file ${path}`, comparable(bytes.toString(), run));
  return outcome;
}

/** The aspects in which two outcomes differ, each with what it is in either. */
export interface Difference {
  readonly aspect: string;
  readonly original: string | undefined;
  readonly ours: string | undefined;
}

export function differencesOf(original: Outcome, ours: Outcome): readonly Difference[] {
  const aspects = [...new Set([...original.keys(), ...ours.keys()])];
  return aspects
    .map((aspect) => ({ aspect, original: original.get(aspect), ours: ours.get(aspect) }))
    .filter((difference) => difference.original !== difference.ours);
}

/** JSON with its members in order and its numbers as written, or the text. */
function comparable(text: string, run: Run): string {
  const value = parse(text);
  const ids = new Map<string, string>();
  return value === undefined ? textOf(text, run) : JSON.stringify(comparableJson(value, '', run, ids), null, 1);
}

type Parsed = null | boolean | string | Parsed[] | { [key: string]: Parsed };

/** In the place of a number: what it is written as. */
const NUMBER = '\u0001number ';
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function parse(text: string): Parsed | undefined {
  const quote = (token: string) => (token.startsWith('"') ? token : `"\\u0001number ${token}"`);
  try {
    return JSON.parse(text.replace(STRING_OR_NUMBER, quote)) as Parsed;
  } catch {
    return undefined;
  }
}

const TIMES = new Set(['duration_ms', 'started_at_ms', 'timestamp', 'total_duration_ms', 'modified_ms']);
const IDS = new Set(['execution_id', 'session_id', 'candidate_execution_id']);
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CALL_ID = new RegExp(`^(?:${UUID}|call_\\d+)$`);
const SESSION_FILE = new RegExp(`^sessions/${UUID}\\.jsonl$`);

function comparableJson(value: Parsed, key: string, run: Run, ids: Map<string, string>): Parsed {
  if (typeof value === 'string' && value.startsWith(NUMBER)) return TIMES.has(key) ? '#' : value;
  if (typeof value === 'string') return comparableString(value, key, run, ids);
  if (Array.isArray(value)) {
    const items = value.map((item) => comparableJson(item, key, run, ids));
    // MoFA lists the names in the order of a hash map, which is another one in every run.
    return key === 'tool_names' || key === 'tools' ? items.sort(bySource) : items;
  }
  if (value === null || typeof value !== 'object') return value;
  const isSession = typeof value.relative_path === 'string' && SESSION_FILE.test(value.relative_path);
  const members = Object.entries(value).map(([name, member]) => {
    if (isSession) return [name, '#'] as const;
    if (name === 'id' && key === 'agent') return [name, '#'] as const;
    return [name, comparableJson(member, name, run, ids)] as const;
  });
  return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function comparableString(value: string, key: string, run: Run, ids: Map<string, string>): string {
  if (IDS.has(key)) return '#';
  if (/^\s*[[{]/.test(value)) {
    const inner = parse(value);
    if (inner !== undefined) return JSON.stringify(comparableJson(inner, '', run, ids));
  }
  if ((key === 'id' || key === 'tool_call_id') && CALL_ID.test(value)) {
    ids.set(value, ids.get(value) ?? `call ${ids.size + 1}`);
    return ids.get(value) ?? '';
  }
  return textOf(value, run);
}

function bySource(left: Parsed, right: Parsed): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

/** A text without its times, ports and temporary folders. */
function textOf(text: string, { root, upstream }: Run): string {
  return text
    .replaceAll(root, '<root>')
    .replaceAll(upstream, '<upstream>')
    .replaceAll(upstream.slice('http://'.length), '<upstream>')
    .replace(/[^\s"]*\/(?:mofa-agent-test-[0-9a-f-]{36}|tapedeck-\d+-[A-Za-z0-9]{6})/g, '<workspace>')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d \([A-Z][a-z]+\)/g, '<time>')
    .replace(/^duration_ms: \d+$/gm, 'duration_ms: #')
    .replace(/\.\. \d+ms$/gm, '.. #ms')
    .replace(/Duration: \d+ms$/gm, 'Duration: #ms');
}

const ERROR = /^(?:DSL test failed: |I\/O error: |JSON error: |comparison output |baseline comparison |failed to )/;

/** What the error says, without the words of either program: the kind of error, and what it is about. */
function meaningOf({ code, stderr }: Run): string {
  if (code === 2) return 'the command line is not understood';
  if (code === 101) return 'panic';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: error-stack writes bold text.
  const lines = stderr.replace(/\u001b\[\d+m/g, '').split('\n');
  const at = lines.findIndex((line) => ERROR.test(line));
  const [headline = '', ...rest] = at === -1 ? [] : lines.slice(at);
  const found = MEANINGS.find(([pattern]) => pattern.test(headline));
  if (found === undefined) return headline;
  return typeof found[1] === 'string' ? found[1] : found[1]([headline, ...rest].join('\n'));
}

const MEANINGS: readonly (readonly [RegExp, string | ((text: string) => string)])[] = [
  [/failed to parse TOML DSL/, tomlMeaning],
  [/failed to create test workspace/, 'a file of the case cannot be made'],
  [/failed to read DSL file/, 'the case cannot be read'],
  [/failed to read tape file/, 'the tape cannot be read'],
  [/failed to parse tape JSON/, 'the tape is not a tape'],
  [
    /^I\/O error|^failed to write|^failed to read the baseline: .*(?:no such|this is a folder|permission|not UTF-8)/i,
    'a file of the flags',
  ],
  [/^JSON error|^failed to read the baseline/, 'the baseline is not an artifact'],
];

function tomlMeaning(text: string): string {
  const missing = /missing field `(\w+)`/.exec(text)?.[1];
  if (missing !== undefined) return `the case lacks ${missing}`;
  if (/unknown variant/.test(text)) return 'the case has an unknown word';
  if (/invalid type|wanted string|invalid length/.test(text)) return 'the case has a value of the wrong type';
  return 'the case is not TOML';
}
