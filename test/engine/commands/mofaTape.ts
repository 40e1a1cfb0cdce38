import assert from 'node:assert/strict';

/**
 * Fails unless the text is a tape exactly as MoFA's recorder writes it and its reader accepts it. Written from what
 * MoFA does, without any of the code under test.
 */
export function assertMofaTape(text: string): void {
  assert.equal(text.endsWith('}'), true, 'serde_json::to_string_pretty ends without a newline');
  const tape = JSON.parse(text) as unknown;
  assert.equal(text, JSON.stringify(tape, null, 2), 'two spaces, nothing escaped that need not be');
  record(tape, { version: isOne, case_name: isText, interactions: listOf(interaction) });
}

type Check = (value: unknown, where: string) => void;

const isOne: Check = (value, where) => assert.equal(value, 1, where);
const isText: Check = (value, where) => assert.equal(typeof value, 'string', where);
const isCount: Check = (value, where) => assert.ok(Number.isInteger(value) && Number(value) >= 0, where);
const anything: Check = () => undefined;

const toolCall: Check = (value, where) => record(value, { id: isText, name: isText, arguments: anything }, where);
const message: Check = (value, where) =>
  record(
    value,
    { role: isText, content: orNull(isText), tool_call_id: orNull(isText), tool_calls: listOf(toolCall) },
    where,
  );
const usage: Check = (value, where) =>
  record(value, { prompt_tokens: isCount, completion_tokens: isCount, total_tokens: isCount }, where);
const request: Check = (value, where) =>
  record(
    value,
    {
      messages: listOf(message),
      model: orNull(isText),
      temperature: orNull((number, place) => assert.equal(typeof number, 'number', place)),
      max_tokens: orNull(isCount),
      tool_names: listOf(isText),
    },
    where,
  );
const interaction: Check = (value, where) =>
  record(value, { request, response: isText, tool_calls: listOf(toolCall), usage: orNull(usage) }, where);

/** An object with these fields, all of them, and in this order. */
function record(value: unknown, fields: Readonly<Record<string, Check>>, where = 'the tape'): void {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), where);
  assert.deepEqual(Object.keys(value), Object.keys(fields), `the fields of ${where}`);
  for (const [key, member] of Object.entries(value)) fields[key]?.(member, `${where}.${key}`);
}

function listOf(check: Check): Check {
  return (value, where) => {
    assert.ok(Array.isArray(value), where);
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`);
  };
}

function orNull(check: Check): Check {
  return (value, where) => {
    if (value !== null) check(value, where);
  };
}
