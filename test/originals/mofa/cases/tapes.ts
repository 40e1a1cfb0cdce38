import { type MofaCase, toml } from '../mofaCase';
import { runOf } from './common';

const TOOLS = [{ name: 'add', description: 'Adds.', schema: {}, result: { sum: 3 } }];
const CASE = toml({ name: 'taped', prompt: 'Add.', tools: TOOLS, llm: { tape: 'tapes/t.tape.json' } });

type Fields = Readonly<Record<string, unknown>>;

const MESSAGE = { role: 'user', content: 'Add.', tool_call_id: null, tool_calls: [] };
const REQUEST = { messages: [MESSAGE], model: null, temperature: null, max_tokens: null, tool_names: ['add'] };
const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const CALL = { id: 'up_1', name: 'add', arguments: { a: 1, b: 2 } };
const FINAL = { request: REQUEST, response: 'Three.', tool_calls: [], usage: USAGE };
const CALLING = { request: REQUEST, response: '', tool_calls: [CALL], usage: null };

const tape = (interactions: readonly unknown[], more: Fields = {}) =>
  JSON.stringify({ version: 1, case_name: 'taped', interactions, ...more });
const without = (fields: Fields, key: string) => Object.fromEntries(Object.entries(fields).filter(([k]) => k !== key));
const withRequest = (more: Fields) => tape([{ ...FINAL, request: { ...REQUEST, ...more } }]);
const withMessage = (message: unknown) => withRequest({ messages: [message] });
const withCall = (call: unknown) => tape([{ ...CALLING, tool_calls: [call] }, FINAL]);
const withUsage = (usage: unknown) => tape([{ ...FINAL, usage }]);
const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const withArguments = (json: string) => tape([CALLING, FINAL]).replace('{"a":1,"b":2}', json);

const WHOLE: readonly (readonly [string, string | Uint8Array])[] = [
  ['one interaction', tape([FINAL])],
  ['a call and an answer', tape([CALLING, FINAL])],
  ['two calls in one response', tape([{ ...CALLING, tool_calls: [CALL, { ...CALL, id: 'up_2' }] }, FINAL])],
  ['text beside a call', tape([{ ...CALLING, response: 'One moment.' }, FINAL])],
  ['only the response', tape([{ response: 'Three.' }])],
  ['a request that is null', tape([{ ...FINAL, request: null }])],
  ['usage that is null', withUsage(null)],
  ['one call for ever', tape([CALLING])],
  ['nine calls', tape([...Array(9).fill(CALLING), FINAL])],
  ['ten calls', tape([...Array(10).fill(CALLING), FINAL])],
  ['more than needed', tape([FINAL, CALLING, FINAL])],
  ['no interactions', tape([])],
  ['another case', tape([FINAL], { case_name: 'other' })],
  ['an empty name of a case', tape([FINAL], { case_name: '' })],
  ['version 0', tape([FINAL], { version: 0 })],
  ['version 99', tape([FINAL], { version: 99 })],
  ['unknown fields', tape([{ ...FINAL, extra: [1] }], { extra: {} })],
  ['pretty', JSON.stringify(JSON.parse(tape([CALLING, FINAL])), null, 2)],
  ['a final newline', `${tape([FINAL])}\n\n`],
  ['a call of an unknown tool', withCall({ ...CALL, name: 'ghost' })],
  ['a call without a name', withCall({ ...CALL, name: '' })],
  ['arguments that are a text', withCall({ ...CALL, arguments: '{"a":1' })],
  ['arguments that are null', withCall({ ...CALL, arguments: null })],
  ['arguments that are a list', withCall({ ...CALL, arguments: [1] })],
  ['floats', withArguments('{"a":1.0,"b":-0.0,"c":2.50,"d":1e3,"e":0.1e-6}')],
  [
    'large numbers',
    withArguments('{"a":9007199254740993,"b":18446744073709551615,"c":123456789012345678901234567890}'),
  ],
  ['very small and large floats', withArguments('{"a":1e300,"b":5e-324,"c":123456789.123456789}')],
  ['keys out of order', withArguments('{"z":1,"a":2,"m":{"y":1,"b":2}}')],
  ['a key twice in the arguments', withArguments('{"a":1,"a":2}')],
  ['escapes', tape([{ ...FINAL, response: 'a\u0000\u001f"\\/é😀\u2028' }])],
  ['escaped characters', tape([FINAL]).replace('Three.', '\\u0054hree\\ud83d\\ude00.')],
  ['a deep argument', withArguments(nested(100))],
  [
    'a message with every role',
    withRequest({ messages: ['system', 'user', 'assistant', 'tool', 'x'].map((role) => ({ ...MESSAGE, role })) }),
  ],
];

const BROKEN: readonly (readonly [string, string | Uint8Array])[] = [
  ['an empty file', ''],
  ['only blanks', ' \n'],
  ['no JSON', 'version: 1'],
  ['a list', '[]'],
  ['null', 'null'],
  ['cut off', tape([CALLING, FINAL]).slice(0, -9)],
  ['text behind it', `${tape([FINAL])} x`],
  ['a byte order mark', `\uFEFF${tape([FINAL])}`],
  [
    'not UTF-8',
    Buffer.concat([
      Buffer.from(tape([FINAL]).slice(0, 40)),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(tape([FINAL]).slice(40)),
    ]),
  ],
  ['not UTF-8 in the response', Buffer.from(tape([FINAL]).replace('Three.', 'Thré.'), 'latin1')],
  ['half a surrogate pair', tape([FINAL]).replace('Three.', '\\ud83d.')],
  ['the other half of a pair', tape([FINAL]).replace('Three.', '\\ude00.')],
  ['a trailing comma', tape([FINAL]).replace(/}$/, ',}')],
  ['a comment', `// t\n${tape([FINAL])}`],
  ['a raw control character', tape([FINAL]).replace('Three.', 'Thr\tee.')],
  ['a field twice', tape([FINAL]).replace('{"version":1', '{"version":1,"version":1')],
  ['a response twice', tape([FINAL]).replace('"response":"Three."', '"response":"Two.","response":"Three."')],
  ['an unknown field twice', tape([FINAL], { extra: 1 }).replace('"extra":1', '"extra":1,"extra":2')],
  ['more than 128 levels', withArguments(nested(130))],
  ['no version', JSON.stringify(without(JSON.parse(tape([FINAL])), 'version'))],
  ['a version that is a text', tape([FINAL], { version: '1' })],
  ['a version that is a float', tape([FINAL]).replace('"version":1', '"version":1.0')],
  ['a negative version', tape([FINAL], { version: -1 })],
  ['a version that is too large', tape([FINAL], { version: 4294967296 })],
  ['no name of a case', JSON.stringify(without(JSON.parse(tape([FINAL])), 'case_name'))],
  ['a name that is null', tape([FINAL], { case_name: null })],
  ['no list of interactions', '{"version":1,"case_name":"taped"}'],
  ['interactions that are null', '{"version":1,"case_name":"taped","interactions":null}'],
  ['an interaction that is null', tape([null])],
  ['an interaction that is a list', tape([['Three.', null]])],
  ['no response', tape([without(FINAL, 'response')])],
  ['a response that is null', tape([{ ...FINAL, response: null }])],
  ['a response that is a table', tape([{ ...FINAL, response: {} }])],
  ['tool calls that are null', tape([{ ...FINAL, tool_calls: null }])],
  ['a tool call without an id', withCall(without(CALL, 'id'))],
  ['a tool call without a name', withCall(without(CALL, 'name'))],
  ['a tool call without arguments', withCall(without(CALL, 'arguments'))],
  ['a tool call with a number as id', withCall({ ...CALL, id: 7 })],
  ['usage without a total', withUsage(without(USAGE, 'total_tokens'))],
  ['usage with a negative count', withUsage({ ...USAGE, prompt_tokens: -1 })],
  ['usage with a text', withUsage({ ...USAGE, prompt_tokens: '12' })],
  ['usage that is a list', withUsage([12, 3, 15])],
  ['a request without messages', tape([{ ...FINAL, request: without(REQUEST, 'messages') }])],
  ['messages that are null', withRequest({ messages: null })],
  ['a message without a role', withMessage(without(MESSAGE, 'role'))],
  ['a message whose content is a list', withMessage({ ...MESSAGE, content: [] })],
  ['a message whose tool calls are null', withMessage({ ...MESSAGE, tool_calls: null })],
  ['a message without a content', withMessage({ role: 'user' })],
  ['a model that is a number', withRequest({ model: 1 })],
  ['a temperature that is a text', withRequest({ temperature: 'warm' })],
  ['a maximum that is a float', withRequest({ max_tokens: 1.5 })],
  ['tool names that are null', withRequest({ tool_names: null })],
  ['a tool name that is a number', withRequest({ tool_names: [1] })],
];

export function tapeCases(): readonly MofaCase[] {
  const listed = [...WHOLE, ...BROKEN].map(([title, content]) =>
    runOf('tapes', title, CASE, { files: { 'tapes/t.tape.json': content } }),
  );
  const files = { 'tapes/t.tape.json': tape([CALLING, FINAL]) };
  const at = (path: string) => toml({ name: 'taped', prompt: 'Add.', tools: TOOLS, llm: { tape: path } });
  return [
    ...listed,
    runOf('tapes', 'no file', at('tapes/none.json'), { files }),
    runOf('tapes', 'a folder', at('tapes'), { files }),
    runOf('tapes', 'an absolute path', at('{{root}}/tapes/t.tape.json'), { files }),
    runOf('tapes', 'a path that goes up', at('tapes/../tapes/t.tape.json'), { files }),
    runOf('tapes', 'an empty path', at(''), { files }),
    {
      group: 'tapes',
      title: 'relative to the case, not to the working folder',
      cwd: 'elsewhere',
      args: ['test-dsl', '../a.toml', '--artifact-out', 'x.json'],
      files: { ...files, 'a.toml': CASE },
    },
  ];
}
