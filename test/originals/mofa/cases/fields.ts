import { type MofaCase, raw, type Toml, type TomlTable, toml, withMember } from '../mofaCase';
import { GREETING, runOf } from './common';

const TOOL = {
  name: 'look_up',
  description: 'Looks a word up.',
  schema: { type: 'object', properties: { word: { type: 'string' } } },
  result: { found: true },
};
const CALL = { type: 'tool_call', tool: 'look_up', content: 'Let me see.', arguments: { word: 'tape' } };
const FULL: TomlTable = {
  name: 'full',
  prompt: 'What is a tape?',
  input: 'Never asked.',
  expected_text: 'recording',
  bootstrap_files: [{ path: 'AGENTS.md', content: 'Be brief.' }],
  agent: { name: 'Nora', description: 'a librarian' },
  tools: [TOOL],
  llm: { steps: [CALL, { type: 'text', content: 'A recording.' }] },
  assert: { contains: 'recording', tool_called: 'look_up' },
};
const TAPED: TomlTable = { ...GREETING, llm: { tape: 't.tape.json' } };
const RECORDED: TomlTable = {
  ...GREETING,
  llm: {
    record_tape: 'r.tape.json',
    provider: {
      kind: 'open_ai_compatible',
      base_url: '{{upstream}}/v1',
      model: 'm-1',
      api_key_env: 'THE_API_KEY',
    },
  },
};

/** Each field with a document in which it counts. */
const FIELDS: readonly (readonly [string, TomlTable])[] = [
  ['name', FULL],
  ['prompt', FULL],
  ['input', FULL],
  ['expected_text', FULL],
  ['bootstrap_files', FULL],
  ['bootstrap_files.path', FULL],
  ['bootstrap_files.content', FULL],
  ['agent', FULL],
  ['agent.name', FULL],
  ['agent.description', FULL],
  ['tools', FULL],
  ['tools.name', FULL],
  ['tools.description', FULL],
  ['tools.schema', FULL],
  ['tools.result', FULL],
  ['llm', FULL],
  ['llm.steps', FULL],
  ['llm.steps.type', FULL],
  ['llm.steps.content', FULL],
  ['llm.steps.tool', FULL],
  ['llm.steps.arguments', FULL],
  ['assert', FULL],
  ['assert.contains', FULL],
  ['assert.tool_called', FULL],
  ['llm.responses', GREETING],
  ['llm.tape', TAPED],
  ['llm.record_tape', RECORDED],
  ['llm.provider', RECORDED],
  ['llm.provider.kind', RECORDED],
  ['llm.provider.base_url', RECORDED],
  ['llm.provider.model', RECORDED],
  ['llm.provider.api_key_env', RECORDED],
];

const VALUES: readonly (readonly [string, Toml | undefined])[] = [
  ['left out', undefined],
  ['a number', 7],
  ['true', true],
  ['a date', raw('2026-01-31')],
  ['a list', ['a', 'b']],
  ['a table', { a: 'b' }],
];

const REPLY = { body: '{"choices":[{"message":{"role":"assistant","content":"Hello, you."}}]}' };
const TAPE = '{"version":1,"case_name":"greeting","interactions":[{"response":"Hello, you."}]}';
const MORE = { upstream: [REPLY], files: { 't.tape.json': TAPE }, env: { THE_API_KEY: 'local-key' } };

export function fieldCases(): readonly MofaCase[] {
  const typed = FIELDS.flatMap(([path, document]) =>
    VALUES.map(([what, value]) =>
      runOf('fields', `${path}: ${what}`, toml(withMember(document, path.split('.'), value)), MORE),
    ),
  );
  return [...typed, ...special()];
}

const LLM = (steps: Toml) => toml({ ...FULL, llm: { steps } });
const text = (content: string) => ({ type: 'text', content });
const agent = (value: TomlTable) => toml({ ...FULL, agent: value });
const file = (path: string, content = 'x') => toml({ ...FULL, bootstrap_files: [{ path, content }] });
const resultOf = (result: Toml) => toml({ ...FULL, tools: [{ ...TOOL, result }] });
const argumentsOf = (value: Toml) => LLM([{ ...CALL, arguments: value }, text('A recording.')]);

function special(): readonly MofaCase[] {
  const texts: readonly (readonly [string, string])[] = [
    ['an empty file', ''],
    ['broken TOML', 'name = "n"\nprompt = \n'],
    ['an unterminated string', 'name = "n\nprompt = "p"'],
    ['the same key twice', 'name = "a"\nname = "b"\nprompt = "p"'],
    ['a byte order mark', `\uFEFF${toml(GREETING)}`],
    ['Windows line ends', toml(GREETING).replaceAll('\n', '\r\n')],
    ['unknown keys everywhere', toml({ ...FULL, extra: 1, agent: { name: 'N', extra: 2 } })],
    ["Tapedeck's own keys", toml({ ...FULL, tags: ['a'], agent: { name: 'N', system: 'S', max_iterations: 1 } })],
    ["Tapedeck's own assertions", toml({ ...FULL, assert: { not_contains: 'recording', max_ms: 0 } })],
    ["Tapedeck's own agent", toml({ ...GREETING, agent: { command: ['false'] } })],
    ["Tapedeck's own rules of replay", toml({ ...TAPED, llm: { tape: 't.tape.json', replay: { match: 'exact' } } })],
    ['a wrong value of an unknown key', toml({ ...FULL, tags: 7, agent: { timeout_ms: 'x' } })],
    ['an empty prompt', toml({ ...FULL, prompt: '' })],
    ['only an input', toml({ name: 'n', input: 'i', llm: { responses: ['r'] } })],
    ['an empty name', toml({ ...GREETING, name: '' })],
    ['a prompt of several lines', toml({ ...GREETING, prompt: 'a\nb\n"c" \\ é 😀' })],
    ['an agent without a name', agent({ description: 'nobody' })],
    ['an agent without a description', agent({ name: 'Nora' })],
    ['an empty description', agent({ name: 'Nora', description: '' })],
    ['an empty agent', agent({})],
    ['no agent and no file', toml(withMember(withMember(FULL, ['agent'], undefined), ['bootstrap_files'], undefined))],
    ['a file in a folder', file('docs/deep/README.md', 'é')],
    ['an empty file', file('EMPTY.md', '')],
    ['a file that is the memory', file('memory/MEMORY.md', 'Remember me.')],
    ['a file that MoFA would load by itself', file('SOUL.md', 'soul')],
    ['a file out of the workspace', file('../out-of-it.md')],
    ['a file with an empty path', file('')],
    ['a file in the place of a folder', file('sessions')],
    [
      'two files of one name',
      toml({
        ...FULL,
        bootstrap_files: [
          { path: 'A', content: '1' },
          { path: 'A', content: '2' },
        ],
      }),
    ],
    [
      'files in order',
      toml({
        ...FULL,
        bootstrap_files: [
          { path: 'Z', content: 'z' },
          { path: 'A', content: 'a' },
        ],
      }),
    ],
    ['two tools of one name', toml({ ...FULL, tools: [TOOL, { ...TOOL, result: 'second' }] })],
    [
      'two tools, called in the other order',
      toml({
        ...FULL,
        tools: [TOOL, { ...TOOL, name: 'ask' }],
        llm: { steps: [{ ...CALL, tool: 'ask' }, CALL, { ...CALL, tool: 'ask' }, text('A recording.')] },
      }),
    ],
    ['a tool without a result', toml(withMember(FULL, ['tools', 'result'], undefined))],
    ['a tool without a result field', toml({ ...FULL, tools: [{ name: 'look_up', description: 'd', schema: {} }] })],
    ['a result that is a text', resultOf('plain')],
    ['a result that is an empty text', resultOf('')],
    [
      'a result with floats',
      resultOf({ whole: raw('1.0'), negative: raw('-0.0'), part: raw('2.50'), big: raw('1e21') }),
    ],
    ['a result that is a list', resultOf([1, 2, [3]])],
    ['a result with a date', resultOf({ at: raw('2026-01-31T10:00:00Z') })],
    ['a result with a large number', resultOf({ n: raw('9007199254740993') })],
    ['a result with the largest number', resultOf({ n: raw('9223372036854775807') })],
    ['a result with infinity', resultOf({ n: raw('inf') })],
    ['a schema that is a text', toml({ ...FULL, tools: [{ ...TOOL, schema: 'x' }] })],
    ['arguments with floats', argumentsOf({ whole: raw('1.0'), part: raw('0.5') })],
    ['arguments that are a text', argumentsOf('{}')],
    ['arguments that are a list', argumentsOf([1])],
    ['a call without arguments', LLM([{ type: 'tool_call', tool: 'look_up' }, text('x')])],
    ['a call without a tool', LLM([{ type: 'tool_call', arguments: {} }, text('x')])],
    ['a call of an unknown tool', LLM([{ ...CALL, tool: 'ghost' }, text('A recording.')])],
    [
      'a call of an unknown tool, asserted',
      toml({ ...FULL, llm: { steps: [{ ...CALL, tool: 'ghost' }] }, assert: { tool_called: 'ghost' } }),
    ],
    ['a call with an empty content', LLM([{ ...CALL, content: '' }, text('A recording.')])],
    ['a text step without a content', LLM([{ type: 'text' }])],
    ['a step of an unknown type', LLM([{ type: 'dance' }])],
    ['more steps than needed', LLM([text('A recording.'), text('never said')])],
    ['only calls', LLM([CALL])],
    ['nine calls', LLM([...Array(9).fill(CALL), text('A recording.')])],
    ['ten calls', LLM([...Array(10).fill(CALL), text('A recording.')])],
    ['twelve calls', LLM([...Array(12).fill(CALL), text('A recording.')])],
    ['steps and responses', toml({ ...FULL, llm: { steps: [text('A recording: step.')], responses: ['response'] } })],
    ['no steps, but responses', toml({ ...FULL, llm: { steps: [], responses: ['a recording'] } })],
    ['no responses', toml({ ...GREETING, llm: { responses: [] } })],
    ['an empty response', toml({ ...GREETING, llm: { responses: [''] } })],
    ['no source of responses', toml(withMember(GREETING, ['llm'], undefined))],
    ['an empty llm', toml({ ...GREETING, llm: {} })],
    ['a tape and steps', toml({ ...GREETING, llm: { tape: 't.tape.json', steps: [text('x')] } })],
    ['a tape and responses', toml({ ...GREETING, llm: { tape: 't.tape.json', responses: ['x'] } })],
    ['a tape and a record_tape', toml({ ...GREETING, llm: { tape: 't.tape.json', record_tape: 'r.json' } })],
    ['a record_tape alone', toml({ ...GREETING, llm: { record_tape: 'r.json' } })],
    ['a provider and a tape', toml(withMember(RECORDED, ['llm', 'tape'], 't.tape.json'))],
    ['a provider and steps', toml(withMember(RECORDED, ['llm', 'steps'], [text('x')]))],
    ['a provider and responses', toml(withMember(RECORDED, ['llm', 'responses'], ['x']))],
    ['a provider and empty responses', toml(withMember(RECORDED, ['llm', 'responses'], []))],
    ['an unknown provider', toml(withMember(RECORDED, ['llm', 'provider', 'kind'], 'telepathy'))],
    ['a provider that only Tapedeck has', toml(withMember(RECORDED, ['llm', 'provider', 'kind'], 'practice'))],
  ];
  return texts.map(([title, content]) => runOf('fields', title, content, MORE));
}
