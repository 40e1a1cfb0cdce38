import type { Seeded } from '../seeded';

const TEXTS = [
  'hello',
  '',
  'Grüße ✓',
  'line\nbreak',
  '"quoted" \\ back',
  '𝒜stral 😀',
  '\u007f\u2028',
  'On its way.',
  '<b>&amp;</b>',
];
const KEYS = ['a', 'ä', '𝒜', '\uffee', 'Z', 'city', 'n-1', 'api_key', 'token'];
const NUMBERS = ['0', '-0.0', '1', '1.0', '3.14', '1e22', '1e-7', '123456789012345678901234567890', '1e16', '-2.5e-10'];
const METHODS = ['chat.completions.create', 'responses.create', 'messages.create', 'embeddings.create', 'invoke', ''];
const TOOLS = ['lookup_order', 'search', 'größe', ''];

const quoted = (text: string): string => JSON.stringify(text);

/** A JSON value as text, with the numbers as they are written. */
function value(seeded: Seeded, depth: number): string {
  const kind = seeded.below(depth > 0 ? 6 : 4);
  if (kind === 0) return seeded.one(NUMBERS);
  if (kind === 1) return seeded.one(['true', 'false', 'null']);
  if (kind < 4) return quoted(seeded.one(TEXTS));
  const items = Array.from({ length: seeded.below(4) }, () => value(seeded, depth - 1));
  return kind === 4 ? `[${items.join(', ')}]` : object(seeded, items);
}

function object(seeded: Seeded, items: readonly string[]): string {
  const members = new Map(items.map((item) => [seeded.one(KEYS), item]));
  return `{${[...members].map(([key, item]) => `${quoted(key)}: ${item}`).join(', ')}}`;
}

function body(seeded: Seeded): string {
  const messages = Array.from({ length: 1 + seeded.below(3) }, () => {
    const role = seeded.one(['system', 'user', 'assistant']);
    return `{"role": "${role}", "content": ${quoted(seeded.one(TEXTS))}}`;
  });
  const more = seeded.chance(0.5) ? `, "extra": ${value(seeded, 2)}` : '';
  return `{"messages": [${messages.join(', ')}]${more}}`;
}

function response(seeded: Seeded): string {
  const content = quoted(seeded.one(TEXTS));
  if (seeded.chance(0.5)) return content;
  if (seeded.chance(0.2)) return value(seeded, 2);
  const calls = seeded.chance(0.3)
    ? ', "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\\"q\\": 1.0}"}}]'
    : '';
  return `{"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": ${content}${calls}}, "finish_reason": "stop"}]}`;
}

/** A call as the recorder of CheckAgent takes it, as JSON. */
export function recordedCall(seeded: Seeded): string {
  const optional = seeded.some([
    `"duration_ms": ${seeded.one(['1', '12.5', '0.1', '3e5'])}`,
    `"status": "${seeded.one(['ok', 'error'])}"`,
    `"metadata": ${object(seeded, [value(seeded, 1)])}`,
  ]);
  if (seeded.chance(0.3)) {
    const args = object(
      seeded,
      Array.from({ length: seeded.below(3) }, () => value(seeded, 2)),
    );
    const call = [`"tool_name": ${quoted(seeded.one(TOOLS))}`, `"arguments": ${args}`, `"result": ${value(seeded, 2)}`];
    return `{"tool": {${[...call, ...optional].join(', ')}}}`;
  }
  const tokens = seeded.some(['"prompt_tokens": 10', '"completion_tokens": 0', '"model": "gpt-4o"']);
  const call = [
    `"method": ${quoted(seeded.one(METHODS))}`,
    `"request_body": ${body(seeded)}`,
    `"response_body": ${response(seeded)}`,
  ];
  return `{"llm": {${[...call, ...tokens, ...optional].join(', ')}}}`;
}

const IDS = ['', 'tests/test_a.py::test_one', 'tests/test b.py::Case::test[x-1]', 'größe'];

export function recording(seeded: Seeded) {
  const calls = Array.from({ length: seeded.below(5) }, () => recordedCall(seeded));
  // A call may be made twice.
  const again = calls.length > 0 && seeded.chance(0.2) ? [calls[0] as string] : [];
  return { do: 'record', test_id: seeded.one(IDS), calls: [...calls, ...again] };
}

/** Ways in which a cassette is changed by hand, or breaks: each replaces the first match. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/"content": "/, '"content": "changed '],
  [/"content_hash": "[0-9a-f]+"/, '"content_hash": ""'],
  [/"content_hash": "[0-9a-f]+"/, '"content_hash": "00"'],
  [/"content_hash": "[0-9a-f]+"/, '"content_hash": 1'],
  [/"schema_version": 1/, '"schema_version": "1"'],
  [/"schema_version": 1/, '"schema_version": 2'],
  [/"schema_version": 1/, '"schema_version": 1.5'],
  [/"duration_ms": [^,\n]+/, '"duration_ms": 12'],
  [/"duration_ms": [^,\n]+/, '"duration_ms": "4.0"'],
  [/"duration_ms": [^,\n]+/, '"duration_ms": "soon"'],
  [/"prompt_tokens": [^,\n]+/, '"prompt_tokens": 10.0'],
  [/"prompt_tokens": [^,\n]+/, '"prompt_tokens": 10.5'],
  [/"prompt_tokens": [^,\n]+/, '"prompt_tokens": true'],
  [/"model": (?:null|"gpt-4o")/, '"model": 4'],
  [/"kind": "(?:llm|tool)",?/, ''],
  [/"kind": "(?:llm|tool)"/, '"kind": "other"'],
  [/"sequence": \d+/, '"sequence": 7'],
  [/"id": "[0-9a-f]{16}"/, '"id": "0000000000000000"'],
  [/"id": "[0-9a-f]{16}"/, '"id": "by hand"'],
  [/"metadata": \{/, '"unknown": [1], "metadata": {'],
  [/"metadata": \{\}/, '"metadata": []'],
  [/"status": "\w+",?/, ''],
  [/"meta": \{[^}]*\},/, ''],
  [/"meta"/, '"_meta"'],
  [/"interactions"/, '"others"'],
  [/"response": \{/, '"response": [], "was": {'],
  [/\s+/, '\n\n\n'],
  [/\{\n {2}/, '{'],
];

/** A cassette after up to three changes. */
export function changed(seeded: Seeded, text: string): string {
  return Array.from({ length: 1 + seeded.below(3) }, () => seeded.one(CHANGES)).reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, () => replacement),
    text,
  );
}

/** A cassette of schema version 0: fields may be missing, and others are there. */
export function oldCassette(seeded: Seeded): string {
  const calls = Array.from({ length: 1 + seeded.below(3) }, (_, index) => {
    const members = seeded.some([
      '"kind": "tool"',
      `"method": ${quoted(seeded.one(METHODS))}`,
      `"body": ${body(seeded)}`,
      '"old": 1',
    ]);
    const more = seeded.some([`"sequence": ${index + 3}`, '"id": "kept"', '"note": "ünï"', `"metadata": {}`]);
    return `{"request": {${members.join(', ')}}, ${[...more, `"response": {"body": ${response(seeded)}}`].join(', ')}}`;
  });
  const meta = seeded.some(['"checkagent_version": "0.1"', '"recorded_at": "then"', '"test_id": "t"', '"more": [1.0]']);
  return `{"meta": {${['"schema_version": 0', ...meta].join(', ')}}, "interactions": [${calls.join(', ')}]}`;
}
