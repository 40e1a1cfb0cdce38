// Pairs of tapes of several calls, with one to six edits: of all calls, several of one call, calls that moved, are new, or gone, and
// calls that are equal. The review has to know each call again.
import { PROTOCOLS } from './protocols.mjs';

const SYSTEMS = [
  'You are a clerk of a shop. Answer briefly and politely, and never promise a date.',
  'You plan journeys. Think step by step, and give prices in euros.',
];

const WORDS =
  'abbey acorn admiral agenda airport album alley almond anchor ankle antler apple apron arcade archive armour arrow atlas attic autumn avenue badge bakery balcony bamboo banjo banner barley barrel basil basket battery beacon beetle bishop blanket blossom bottle boulder bracelet branch breeze bridge brochure bronze bucket budget buffalo bundle butter button cabbage cabin cactus camera canal candle canoe canvas captain caravan cargo carpet castle cattle cave ceiling cellar chalk chapel cherry chimney circus citrus clarinet cliff clock cloud clover coconut coffee comet compass copper coral corridor cottage cotton cousin cradle crater cricket crown crystal cupboard curtain cushion cycle daisy dancer debt desert diamond dinner dolphin donkey dragon drawer drum eagle earring easel eclipse elbow elephant emerald engine envelope evening fabric falcon farmer feather fence ferry festival fiddle finger flannel flute forest fossil fountain fox frost furnace galaxy garden garlic gazelle geyser ginger giraffe glacier glove goblet guitar hammer harbour harvest helmet herb hotel hurdle icicle island ivory jacket jungle kettle kingdom kitchen ladder lagoon lantern lawyer lemon library lizard lobster magnet mango marble market meadow medal melon mirror monk mosaic motor mountain museum mustard napkin needle nephew nickel notebook novel nurse oasis octopus office onion orchard organ otter oxygen oyster paddle palace panther paper parcel parrot pasture peanut pebble pencil pepper piano picnic pigeon pillow pirate planet plaster pocket poet pond poppy portrait potato powder prison pulley pumpkin puppet puzzle pyramid quiver rabbit radish railway raisin ribbon rifle river rocket rooster ruby saddle sailor salmon sandal satin saucer scarf school scissors season shadow shelter shoulder signal silver sister sketch sleeve sofa sparrow spider spinach spoon squirrel stable statue stomach summer sunset swallow sweater tailor teapot temple thunder ticket timber tomato tongue towel tractor trumpet tulip tunnel turkey turtle umbrella uncle valley vanilla velvet village vinegar violin volcano waffle wagon walnut wardrobe weather whistle widow window winter wizard wool yard zebra'.split(
    ' ',
  );

function words(random, count) {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
}

/** A pair: the calls of both sides, each with the number of the call that it is. */
export function severalCalls(random, protocol) {
  const count = 2 + random.below(6);
  const system = random.pick(SYSTEMS);
  const calls = Array.from({ length: count }, (_, number) => newCall(random, number, system, protocol));
  if (random.chance(0.25)) {
    const twin = random.pick(calls);
    calls.splice(random.below(calls.length + 1), 0, { ...twin, number: twin.number });
  }
  const isConversation = PROTOCOLS[protocol].next === undefined ? false : random.chance(0.3);
  const after = calls.map((call) => ({ ...call }));
  const edits = [];
  const wanted = 1 + random.below(6);
  for (let tries = 0; edits.length < wanted && tries < 40; tries += 1) {
    const [name, edit] = random.pick(EDITS);
    const touched = edit(random, after, { isConversation, protocol });
    if (touched !== undefined) edits.push(`${name}${touched}`);
  }
  return { edits, isConversation, before: calls, after };
}

function newCall(random, number, system, protocol) {
  return {
    number,
    system,
    asked: `${random.pick(['Please find', 'Tell me about', 'What about', 'Book'])} ${words(random, 6 + random.below(10))}?`,
    said: `${random.pick(['Surely:', 'I found', 'It is'])} ${words(random, 5 + random.below(18))}.`,
    ...(random.chance(0.3) &&
      protocol !== 'embeddings' && { given: { city: words(random, 1), count: random.below(90) } }),
    edits: 0,
  };
}

/** No more of a call may change than leaves it what it was: what it asks, or what is said. */
const MOST = 5;

function one(random, calls, isFit) {
  const fit = calls.filter((call) => call.edits < MOST && !call.isNew && isFit(call));
  const call = random.pick(fit);
  if (call === undefined) return undefined;
  call.edits += 1;
  return call;
}

/** The text with up to a fourth of its words replaced, and one at least. */
function otherWords(random, text) {
  const all = text.split(' ');
  const count = 1 + random.below(all.length / 4);
  for (let made = 0; made < count; made += 1) all[random.below(all.length)] = words(random, 1);
  return all.join(' ');
}

const EDITS = [
  [
    'system',
    (random, calls) => {
      if (calls.some(({ isSystemEdited }) => isSystemEdited)) return undefined;
      const rewritten = random.chance(0.3);
      for (const call of calls) {
        call.system = rewritten
          ? 'Be an assistant that helps with whatever is asked.'
          : `${call.system} Use plain words.`;
        call.isSystemEdited = true;
      }
      return '';
    },
  ],
  [
    'model',
    (_, calls, { protocol }) => {
      if (protocol === 'embeddings' || calls.some(({ model }) => model !== undefined)) return undefined;
      for (const call of calls) call.model = MODELS[protocol] ?? 'another-model';
      return '';
    },
  ],
  [
    'status',
    (random, calls) =>
      mark(
        one(random, calls, ({ status }) => status === undefined),
        (call) => {
          call.status = random.pick([500, 429]);
        },
      ),
  ],
  [
    'asked',
    (random, calls) =>
      mark(
        one(random, calls, ({ isAsked }) => !isAsked),
        (call) => {
          call.asked = otherWords(random, call.asked);
          call.isAsked = true;
        },
      ),
  ],
  [
    'said',
    (random, calls) =>
      mark(
        one(random, calls, ({ isSaid }) => !isSaid),
        (call) => {
          call.said = otherWords(random, call.said);
          call.isSaid = true;
        },
      ),
  ],
  [
    'said anew',
    (random, calls) =>
      mark(
        one(random, calls, ({ isSaid, isAsked }) => !isSaid && !isAsked),
        (call) => {
          call.said = `No. ${words(random, 12)}`;
          call.isSaid = true;
          call.isAsked = true;
        },
      ),
  ],
  [
    'given',
    (random, calls) =>
      mark(
        one(random, calls, ({ given }) => given !== undefined),
        (call) => {
          call.given = { ...call.given, count: 100 + random.below(900) };
        },
      ),
  ],
  [
    'temperature',
    (random, calls, { protocol }) =>
      mark(
        one(
          random,
          calls,
          ({ temperature }) => temperature === undefined && PROTOCOLS[protocol].temperature !== undefined,
        ),
        (call) => {
          call.temperature = 0.9;
        },
      ),
  ],
  [
    'tokens',
    (random, calls, { protocol }) =>
      mark(
        one(random, calls, ({ tokens }) => tokens === undefined && PROTOCOLS[protocol].tokens !== undefined),
        (call) => {
          call.tokens = 8 + random.below(40);
        },
      ),
  ],
  [
    'gone',
    (random, calls, { isConversation }) => {
      if (isConversation || calls.length < 3) return undefined;
      const untouched = calls.filter(({ edits, isNew }) => edits === 0 && !isNew);
      const call = random.pick(untouched);
      if (call === undefined) return undefined;
      calls.splice(calls.indexOf(call), 1);
      return ` ${call.number}`;
    },
  ],
  [
    'new',
    (random, calls, { isConversation, protocol }) => {
      if (isConversation) return undefined;
      const [{ system, model }] = calls;
      const call = { ...newCall(random, -1, system, protocol), system, model, isNew: true };
      call.asked = `Write a poem on ${words(random, 8)}`;
      call.said = `Here: ${words(random, 15)}`;
      calls.splice(random.below(calls.length + 1), 0, call);
      return '';
    },
  ],
  [
    'moved',
    (random, calls, { isConversation }) => {
      if (isConversation || calls.length < 4 || calls.some(({ isMoved }) => isMoved)) return undefined;
      const from = random.below(calls.length);
      const to = random.below(calls.length);
      if (Math.abs(from - to) < 2 || calls[from].edits > 1 || calls[from].isNew) return undefined;
      const [call] = calls.splice(from, 1);
      call.isMoved = true;
      calls.splice(to, 0, call);
      return ` ${call.number}`;
    },
  ],
];

const MODELS = { openai: 'gpt-5-mini', anthropic: 'claude-opus-4-1', gemini: 'gemini-2.5-pro' };

function mark(call, edit) {
  if (call === undefined) return undefined;
  edit(call);
  return ` ${call.number}`;
}

/** The exchanges of calls, in the protocol's form. In a conversation, each repeats the ones before it. */
export function exchangesOf(calls, protocol, isConversation) {
  const { call: make, tokens, temperature } = PROTOCOLS[protocol];
  let earlier = [];
  return calls.map((call) => {
    const exchange = structuredClone(make(call));
    if (call.temperature !== undefined) temperature(exchange, call.temperature);
    if (call.tokens !== undefined) tokens(exchange, call.tokens);
    const messages = exchange.request.messages;
    if (isConversation && Array.isArray(messages)) {
      const [own, system] = [
        messages.filter(({ role }) => role !== 'system'),
        messages.filter(({ role }) => role === 'system'),
      ];
      exchange.request.messages = [...system, ...earlier, ...own];
      earlier = [...earlier, ...own, { role: 'assistant', content: call.said }];
    }
    if (call.status !== undefined)
      exchange.response = { error: { message: `Overloaded (${call.status})`, type: 'server_error' } };
    return { ...exchange, status: call.status ?? 200 };
  });
}

/** A tape in Tapedeck's own format, which knows every status. */
export function writeTape(exchanges) {
  const lines = exchanges.flatMap(({ url, request, response, status }, index) => [
    { request: index + 1, method: 'POST', url, json: request },
    { response: index + 1, status, headers: [['content-type', 'application/json']], json: response },
  ]);
  return [{ tapedeck: 'tape', version: 1, name: 'case' }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** How a review pairs the calls otherwise than they were made of each other, as sentences. Of equal calls, one is as good as the other. */
export function pairingFaults({ before, after }, pairs) {
  const keyOf = ({ asked, said, given }) => JSON.stringify([asked, said, given]);
  const faults = [];
  for (const { beforeIndex, afterIndex } of pairs) {
    const old = before[beforeIndex];
    const now = after[afterIndex];
    if (old !== undefined && now !== undefined) {
      const isSame = before.some((other) => other.number === now.number && keyOf(other) === keyOf(old));
      if (!isSame) faults.push(`invented: ${beforeIndex} became ${afterIndex}`);
    } else if (now !== undefined && !now.isNew) faults.push(`missed: ${now.number} at ${afterIndex} is called new`);
    else if (old !== undefined && count(after, old) >= count(before, old))
      faults.push(`missed: ${old.number} is called gone`);
  }
  return faults;
}

function count(calls, { number }) {
  return calls.filter((call) => call.number === number && !call.isNew).length;
}
