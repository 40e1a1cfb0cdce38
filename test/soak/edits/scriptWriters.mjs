// Scripts and fixtures, which keep no HTTP, written and read by plain JSON, YAML and TOML libraries: nothing of `src/` is used here.
import { createHash } from 'node:crypto';
import { parse as parseToml, stringify as toml } from 'smol-toml';
import { parse, stringify } from 'yaml';

const yaml = (value) => stringify(value, { lineWidth: 0 });
const pretty = (value) => JSON.stringify(value, null, 2);
const sha256 = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
const digest = (value) => sha256(value).slice(0, 12);
const AT = '2026-01-01T00:00:00Z';

const askedOf = ({ request }) => request.messages[1].content;
const systemOf = ({ request }) => request.messages[0].content;
const messageOf = ({ response }) => response.choices[0].message;
const saidOf = (exchange) => messageOf(exchange).content;
const callsOf = (exchange) =>
  (messageOf(exchange).tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
    id,
    name,
    arguments: JSON.parse(given),
  }));
const ONLY_USER = { 'Text of message 2': 'Text of message 1' };

/**
 * `parts`: what the format keeps of an exchange of Chat Completions, by the names that edits have for it. `titles`: what a review
 * calls a change of this format otherwise. `id`: the format, where the name here is that of one of its forms.
 */
export const SCRIPT_FORMATS = {
  reyn: {
    path: 'a.jsonl',
    parts: ['asked', 'said', 'given', 'id', 'created', 'callId', 'model', 'tokens', 'refusal'],
    titles: ONLY_USER,
    write: (exchanges) => exchanges.map((exchange) => reynLine(reynEntry(exchange))).join(''),
    read: readLines,
  },
  'reyn before kinds': {
    id: 'reyn',
    path: 'a.jsonl',
    parts: ['asked', 'said', 'given', 'id', 'created', 'callId', 'model', 'tokens', 'refusal'],
    titles: ONLY_USER,
    write: (exchanges) =>
      exchanges
        .map((exchange) => {
          const { key, model, prompt_preview, response } = reynEntry(exchange);
          return reynLine({ key, model, prompt_preview, response });
        })
        .join(''),
    read: readLines,
  },
  aimock: {
    path: 'a.json',
    parts: ['system', 'asked', 'said', 'given', 'model', 'tokens', 'callId', 'id', 'created'],
    write: (exchanges) =>
      pretty({
        fixtures: exchanges.map((exchange) => ({
          match: { userMessage: askedOf(exchange), systemMessage: systemOf(exchange), model: exchange.request.model },
          response: {
            content: saidOf(exchange),
            ...(messageOf(exchange).tool_calls && { toolCalls: callsOf(exchange) }),
            id: exchange.response.id,
            created: exchange.response.created,
            model: exchange.response.model,
            usage: exchange.response.usage,
            finishReason: exchange.response.choices[0].finish_reason,
          },
        })),
      }),
    read: JSON.parse,
  },
  loader: {
    path: 'a.scenario.json',
    parts: ['asked', 'said', 'given', 'tokens', 'callId'],
    titles: ONLY_USER,
    // In the first request.
    hasOnePrompt: true,
    write: (exchanges, place) =>
      pretty({
        name: 'case',
        prompt: askedOf(exchanges[place]),
        supports_native_tools: true,
        completions: exchanges.map((exchange) => ({
          content: saidOf(exchange),
          tool_calls: callsOf(exchange),
          usage: exchange.response.usage,
        })),
        streams: [],
      }),
    read: JSON.parse,
  },
  'loader streams': {
    id: 'loader',
    path: 'a.scenario.json',
    parts: ['asked', 'said', 'given', 'callId'],
    titles: ONLY_USER,
    // In the first request.
    hasOnePrompt: true,
    write: (exchanges, place) =>
      pretty({
        name: 'case',
        prompt: askedOf(exchanges[place]),
        supports_native_tools: true,
        completions: [],
        streams: exchanges.map((exchange) => [
          { content: saidOf(exchange).slice(0, 2), full_content: '', tool_calls: [], is_done: false },
          {
            content: saidOf(exchange).slice(2),
            full_content: saidOf(exchange),
            tool_calls: callsOf(exchange),
            is_done: true,
          },
        ]),
      }),
    read: JSON.parse,
  },
  flakestorm: { path: 'a.yaml', ...flakestorm(yaml, parse) },
  'flakestorm in JSON': { id: 'flakestorm', path: 'a.json', ...flakestorm(pretty, JSON.parse) },
  'mofa-golden': {
    path: 'a.golden.json',
    parts: ['asked', 'said', 'given'],
    titles: ONLY_USER,
    write: (exchanges) =>
      pretty({
        test_name: 'case',
        turns: exchanges.map((exchange) => ({
          user_input: askedOf(exchange),
          response: saidOf(exchange),
          tool_calls: callsOf(exchange).map(({ name, arguments: given }) => ({ name, arguments: given })),
        })),
        metadata: {},
      }),
    read: JSON.parse,
  },
  'mofa-scenario': { path: 'a.yaml', ...scenario(yaml, parse) },
  'mofa-scenario in JSON': { id: 'mofa-scenario', path: 'a.json', ...scenario(pretty, JSON.parse) },
  'mofa-agent-scenario': { path: 'a.yaml', ...agentScenario(yaml, parse) },
  'mofa-agent-scenario in JSON': { id: 'mofa-agent-scenario', path: 'a.json', ...agentScenario(pretty, JSON.parse) },
  'mofa-agent-scenario in TOML': { id: 'mofa-agent-scenario', path: 'a.toml', ...agentScenario(toml, parseToml) },
};

function reynEntry(exchange) {
  const { messages, model } = exchange.request;
  return {
    key: sha256([model, messages]),
    kind: 'completion',
    model,
    prompt_preview: askedOf(exchange),
    preconditions: { mcp_catalog: { servers: [], tools: [] } },
    key_components: {
      model,
      tool_choice: '',
      messages: messages.map((message) => `${message.role}:${digest(message)}`),
      tools: {},
    },
    response: exchange.response,
  };
}

/** A line as Python's `json.dumps` separates its members. */
function reynLine(value) {
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`);
  return `{${members.join(', ')}}\n`;
}

function readLines(text) {
  return text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
}

/** One session: the exchange at `place` is what the agent is asked; every one is a response of a tool. */
function flakestorm(write, read) {
  return {
    parts: ['system', 'asked', 'said', 'given', 'session'],
    // What a tool is given is not kept: an object that it returned has it here.
    titles: { 'Arguments of act': 'Response' },
    write: (exchanges, place) =>
      write({
        id: 'session-1',
        name: 'case',
        source: 'manual',
        captured_at: exchanges[place].session?.at ?? AT,
        input: askedOf(exchanges[place]),
        context: [{ role: 'system', content: systemOf(exchanges[place]) }],
        tool_responses: exchanges.flatMap((exchange) => [
          {
            tool: callsOf(exchange)[0]?.name ?? 'look',
            response: saidOf(exchange),
            status: exchange.session?.status ?? 200,
            latency_ms: exchange.session?.latency ?? 5,
          },
          ...callsOf(exchange).map(({ arguments: given }) => ({ tool: 'objects', response: given, status: 200 })),
        ]),
        expected_failure: exchanges[place].session?.expected ?? 'No source',
        contract: exchanges[place].session?.contract ?? 'Contract',
      }),
    read,
  };
}

/** A mock model with a response to each prompt, and mock tools that fail for an input. */
function scenario(write, read) {
  return {
    parts: ['asked', 'said', 'given'],
    titles: ONLY_USER,
    write: (exchanges) =>
      write({
        suite_name: 'suite',
        case_name: 'case',
        llm: {
          model_name: 'mock',
          responses: exchanges.map((exchange) => ({ prompt_substring: askedOf(exchange), response: saidOf(exchange) })),
        },
        tools: exchanges.flatMap((exchange) =>
          callsOf(exchange).map(({ name, arguments: given }) => ({
            name,
            description: '',
            schema: {},
            fail_on_input: [{ input: given, error: 'It is closed.' }],
          })),
        ),
      }),
    read,
  };
}

/** Turns with the exact response, and the call, that each expects. */
function agentScenario(write, read) {
  return {
    parts: ['asked', 'said', 'given'],
    titles: { 'Arguments of act': 'Expectations', 'Called tool': 'Expectations' },
    write: (exchanges) =>
      write({
        agent_id: 'agent',
        system_prompt: 'You help.',
        tools: ['act'],
        turns: exchanges.map((exchange) => ({
          user: askedOf(exchange),
          expect: [
            ...callsOf(exchange).map(({ name, arguments: given }) => ({
              kind: 'call_tool_with',
              name,
              arguments: given,
            })),
            { kind: 'respond_exact', text: saidOf(exchange) },
          ],
        })),
      }),
    read,
  };
}
