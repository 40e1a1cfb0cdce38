// Edits of recorded calls, with what a review has to say of each.

import { image, PROTOCOLS } from './protocols.mjs';

const UUIDS = ['1b4e28ba-2fa1-11d2-883f-0016d3cca427', '6fa459ea-ee8a-3ca4-894e-db77e160355e'];
const TIMES = ['2026-04-04T10:00:00Z', '2026-04-07T15:30:00Z'];

/** Values that look volatile and say something: an appointment, a customer, an amount, a file, a port. */
export const SAID = [
  TIMES,
  UUIDS,
  ['item_20260404A', 'item_20269999B'],
  ['thread-general1', 'thread-finance2'],
  [1700000000, 1900000000],
  ['/tmp/report.txt', '/tmp/ledger.txt'],
  ['localhost:8080', 'localhost:5432'],
  ['1500000000 people', '1600000000 people'],
  ['file-9fK2mQ7xVb1cLp0Z', 'file-3aB8nR5yWd6eKq2T'],
  ['call_7hJ4nS1zYc5gMw8Vx2', 'call_2eD6pU9rTb3kFq0Lo4'],
  ['April 4, 2026 at 10:00', 'April 7, 2026 at 15:30'],
];
/** Other values than those above, so that what changed as in the prompt is nothing else. */
const NOW = ['2025-01-01T09:00:00Z', '2025-02-02T11:30:00Z'];
const GIVEN = [
  NOW,
  ['9b4e28ba-2fa1-41d2-883f-0016d3cca427', '8fa459ea-ee8a-4ca4-894e-db77e160355e'],
  ['/tmp/tmpa8x2kq1', '/tmp/tmpb7y3lr2'],
  ['localhost:54321', 'localhost:61234'],
];

const WORDS =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ocean plaza quarry ridge shore tower'.split(
    ' ',
  );

export function words(random, count) {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
}

const MODELS = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-opus-4-1',
  gemini: 'gemini-2.5-pro',
  bedrock: 'anthropic.claude-3-opus-20240229-v1:0',
  responses: 'gpt-5-mini',
  cohere: 'command-r-plus-08-2024',
  ollama: 'qwen3',
  embeddings: 'text-embedding-3-large',
};

/**
 * Each edit: `touches` names what it changes, so that no two edits meet; `facts(random)` gives what differs between the calls as
 * `[old, now]`; `apply` changes exchanges; `shown` are the titles that the review has to have, exactly, and `hidden` the least number
 * of ignored differences. `only`: the protocols with that part.
 */
export const EDITS = [
  {
    name: 'F2 arguments that look volatile',
    touches: ['given'],
    facts: (random) => {
      const [old, now] = random.pick(SAID);
      const key = random.pick(['at', 'customer', 'target', 'value', 'id']);
      return {
        given: [
          { city: 'Oslo', [key]: old },
          { city: 'Oslo', [key]: now },
        ],
      };
    },
    shown: ['Arguments of act'],
  },
  {
    name: 'F2 the tool that is called',
    touches: ['given'],
    facts: () => ({
      given: [{ city: 'Oslo' }, { city: 'Oslo' }],
      tool: ['act', 'wait'],
    }),
    shown: ['Called tool'],
  },
  {
    name: 'F2 a response that looks volatile',
    touches: ['said'],
    facts: (random) => {
      const [old, now] = random.pick(SAID);
      const text = words(random, 3);
      return { said: [`${text}: ${old}.`, `${text}: ${now}.`] };
    },
    shown: ['Response'],
  },
  {
    name: 'F2 ids and times of a response',
    touches: ['id', 'created', 'callId'],
    facts: () => ({
      id: ['chatcmpl-9fK2mQ7xVb1cLp0Z', 'chatcmpl-3aB8nR5yWd6eKq2T'],
      created: [1767225600, 1769990000],
      callId: ['call_9fK2mQ7xVb1cLp0Zt5', 'call_3aB8nR5yWd6eKq2Ts8'],
      given: [
        { request_id: 'a1', city: 'Oslo' },
        { request_id: 'b2', city: 'Oslo' },
      ],
    }),
    also: ['given'],
    shown: [],
    hidden: 1,
  },
  {
    name: 'F2 a value that changed as in the prompt',
    touches: ['system', 'said'],
    facts: (random) => {
      const [old, now] = random.pick(GIVEN);
      return { system: [`This run is ${old}`, `This run is ${now}`], said: [`It is ${old} now`, `It is ${now} now`] };
    },
    shown: [],
    hidden: 2,
  },
  {
    name: 'F2 a value that changed otherwise than in the prompt',
    touches: ['system', 'said'],
    facts: () => ({
      system: [`Now is ${NOW[0]}`, `Now is ${NOW[1]}`],
      said: [`It is ${NOW[0]}`, 'It is 2026-05-05T05:05:00Z'],
    }),
    shown: ['Response'],
    hidden: 1,
  },
  {
    name: 'F3 a short request',
    touches: ['asked'],
    facts: (random) => {
      const number = random.below(9);
      return { asked: [`What is ${number}+2?`, `What is ${number}+3?`] };
    },
    shown: ['Text of message 2'],
  },
  { name: 'F3 a short response', touches: ['said'], facts: () => ({ said: ['Four', 'Five'] }), shown: ['Response'] },
  {
    name: 'F3 the model',
    touches: ['model'],
    facts: (_, protocol) => ({ model: [undefined, MODELS[protocol]] }),
    shown: ['Model'],
  },
  {
    name: 'F3 the tokens',
    touches: ['tokens'],
    apply: ({ now, protocol }) => PROTOCOLS[protocol].tokens(now, 9),
    shown: ['Tokens'],
  },
  {
    name: 'F3 the temperature',
    touches: ['temperature'],
    apply: ({ now, protocol }) => PROTOCOLS[protocol].temperature(now, 0.7),
    shown: ['Temperature'],
  },
  {
    name: 'F7 cache_control',
    only: ['anthropic'],
    touches: ['block'],
    apply: ({ now }) => {
      now.request.messages[0].content[0].cache_control = { type: 'ephemeral' };
    },
    shown: ['Cache_control of message 1'],
  },
  {
    name: 'F7 the detail of an image',
    only: ['openai'],
    touches: ['asked'],
    apply: ({ old, now }) => {
      old.request.messages[1].content = [{ type: 'text', text: 'Look' }, image()];
      now.request.messages[1].content = [{ type: 'text', text: 'Look' }, image()];
      now.request.messages[1].content[1].image_url.detail = 'low';
    },
    shown: ['Detail of message 2'],
  },
  {
    name: 'F7 the order of text and image',
    only: ['openai'],
    touches: ['asked'],
    apply: ({ old, now }) => {
      old.request.messages[1].content = [{ type: 'text', text: 'Look' }, image()];
      now.request.messages[1].content = [image(), { type: 'text', text: 'Look' }];
    },
    shown: ['Order of parts of message 2'],
  },
  {
    name: 'F7 a text that is split',
    only: ['openai', 'anthropic', 'gemini', 'bedrock'],
    touches: ['asked', 'block'],
    apply: ({ old, now, protocol }) => {
      const texts = (...all) =>
        all.map((text) => (['openai', 'anthropic'].includes(protocol) ? { type: 'text', text } : { text }));
      const name = protocol === 'gemini' ? 'parts' : 'content';
      PROTOCOLS[protocol].user(old)[name] = texts('One two');
      PROTOCOLS[protocol].user(now)[name] = texts('One ', 'two');
    },
    shown: ['Order of parts of message 2'],
  },
  ...[
    [
      'system_fingerprint',
      ['openai'],
      ({ response }, value) => Object.assign(response, { system_fingerprint: `fp_${value}` }),
    ],
    [
      'service_tier',
      ['openai', 'anthropic'],
      ({ response }, value) => Object.assign(response, { service_tier: `tier ${value}` }),
    ],
    [
      'logprobs',
      ['openai'],
      ({ response }, value) =>
        Object.assign(response.choices[0], { logprobs: { content: [{ token: 'A', logprob: -value }] } }),
    ],
    [
      'safetyRatings',
      ['gemini'],
      ({ response }, value) =>
        Object.assign(response.candidates[0], { safetyRatings: [{ category: 'HARM', probability: `P${value}` }] }),
    ],
  ].map(([name, only, set]) => ({
    name: `F7 ${name}`,
    only,
    touches: ['around'],
    apply: ({ old, now }) => {
      set(old, 1);
      set(now, 2);
    },
    shown: [],
    hidden: 1,
  })),
  {
    name: 'F7 stop_sequence',
    only: ['anthropic'],
    touches: ['end'],
    apply: ({ old, now }) => {
      Object.assign(old.response, { stop_reason: 'stop_sequence', stop_sequence: 'END' });
      Object.assign(now.response, { stop_reason: 'stop_sequence', stop_sequence: 'STOP' });
    },
    shown: ['Stop sequence'],
  },
  {
    name: 'F12 a reason of the end with its message',
    only: ['gemini'],
    touches: ['end'],
    apply: ({ old, now }) => {
      Object.assign(old.response.candidates[0], { finishReason: 'STOP', finishMessage: 'So it ended.' });
      Object.assign(now.response.candidates[0], { finishReason: 'MAX_TOKENS', finishMessage: 'So it ended.' });
    },
    shown: ['Finish reason'],
  },
  {
    name: 'F12 the name in a message',
    only: ['openai'],
    touches: ['name'],
    apply: ({ old, now }) => {
      old.request.messages[1].name = 'ann';
      now.request.messages[1].name = 'bob';
    },
    shown: ['Name of message 2'],
  },
  {
    name: 'F12 a refusal',
    only: ['openai'],
    touches: ['said', 'refusal'],
    apply: ({ old, now }) => {
      Object.assign(old.response.choices[0].message, { content: null, refusal: 'I cannot do that.' });
      Object.assign(now.response.choices[0].message, { content: null, refusal: 'I will not do that.' });
    },
    shown: ['Refusal'],
  },
];

/** The edits of Chat Completions that also formats without HTTP keep. */
export const CHAT_EDITS = EDITS.filter(({ name }) =>
  /arguments|tool|looks volatile|as in the prompt|otherwise|F3/.test(name),
);

/** Edits of what only one kind of script keeps. */
const SESSION_EDITS = [
  {
    name: 'F2 a status of a tool',
    touches: ['session'],
    apply: ({ old, now }) => {
      old.session = { status: 200 };
      now.session = { status: 503 };
    },
    shown: ['Error'],
  },
  {
    name: 'F2 when and how fast it was recorded',
    touches: ['session'],
    apply: ({ old, now }) => {
      old.session = { at: '2026-01-01T00:00:00Z', latency: 5 };
      now.session = { at: '2026-02-02T00:00:00Z', latency: 90 };
    },
    shown: [],
    hidden: 1,
  },
  ...['expected', 'contract'].map((field) => ({
    name: `F7 ${field} of a session`,
    touches: ['session'],
    apply: ({ old, now }) => {
      old.session = { [field]: 'No source' };
      now.session = { [field]: 'No date' };
    },
    shown: [field === 'expected' ? 'Expected failure' : 'Contract'],
  })),
];

/** The edits of formats that keep parts of a call of Chat Completions. */
export const SCRIPT_EDITS = [
  ...CHAT_EDITS,
  ...EDITS.filter(({ name }) => /ids and times|a refusal/.test(name)),
  ...SESSION_EDITS,
];
