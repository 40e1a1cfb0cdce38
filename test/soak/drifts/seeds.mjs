// Recordings that resemble each other, and known changes to them.
/** @typedef {import('./endpoints.mjs').Said} Said */
/** @typedef {import('./endpoints.mjs').Endpoint} Endpoint */
/** @typedef {import('../../harness/random.mjs').Random} Random */

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'];
const GOODS = ['kettle', 'lamp', 'carpet', 'bicycle', 'piano', 'tent', 'camera', 'ladder'];
const CITIES = ['Oslo', 'Lisbon', 'Prague', 'Turin', 'Ghent', 'Riga', 'Cork', 'Graz'];

/** Sibling prompts: of eight, each differs from the others in a few words; of more, some only in a number and a date. @type {(row: number, at: number) => Said} */
export function sayingOf(row, at) {
  const [name, goods, city] = [NAMES[at % 8], GOODS[(at * 3 + row) % 8], CITIES[(at * 5 + row) % 8]];
  return {
    model: 'model-one',
    system: 'You are the clerk of a shop. Answer in one sentence, and never promise what the terms do not.',
    turns: [
      userTurn(`Hello, this is ${name} from ${city}. I have a question about the ${goods} that I bought from you.`),
      { by: 'model', text: `Good day ${name}, what would you like to know about the ${goods}?` },
      userTurn(
        `Can I still return the ${goods} of order ${4100 + row * 17 + at * 3}, which came on 2026-04-0${(at % 9) + 1}, to ${city}?`,
      ),
    ],
    temperature: 0.25,
    tools: {
      get_order: 'Looks an order up by its number.',
      refund: 'Refunds an order to the card that it was paid with.',
    },
    extra: {},
  };
}

/** @param {string} text @returns {import('./endpoints.mjs').Turn} */
function userTurn(text) {
  return { by: 'user', text };
}

/** The turns with another text of one. @param {Said} from @param {number} at @param {(text: string) => string} change */
function withText({ turns }, at, change) {
  return turns.map((turn, index) => (index === at ? { ...turn, text: change(turn.text) } : turn));
}

/**
 * @typedef {object} Seeded
 * @property {Said} said
 * @property {string[]} names what the explanation has to name, and nothing else; sorted
 * @property {string[]} masks what it has to propose
 */
/** @typedef {{ said: Said, name: string, about: string, mask?: string }} Change */
/** @type {Record<string, (endpoint: Endpoint, said: Said, random: Random) => Change | undefined>} */
const CHANGES = {
  model: ({ model }, said) => ({ said: { ...said, model: `${said.model}-2099` }, name: named(model), about: 'model' }),
  temperature: ({ temperature }, said) =>
    temperature === undefined
      ? undefined
      : { said: { ...said, temperature: 0.75 }, name: named(temperature), about: 'temperature' },
  system: ({ system }, said, random) =>
    system === undefined
      ? undefined
      : { said: { ...said, system: reworded(said.system, random) }, name: edited(system), about: 'system' },
  turn: ({ turn }, said, random) => {
    const at = random(said.turns.length);
    const turns = withText(said, at, (text) => reworded(text, random));
    return { said: { ...said, turns }, name: edited(turn(at, turns.length)), about: 'turns' };
  },
  longerTurn: ({ turn }, said) => {
    const last = said.turns.length - 1;
    const turns = withText(said, last, (text) => `${text} Please be quick, my train leaves within the hour.`);
    return { said: { ...said, turns }, name: edited(turn(last, turns.length)), about: 'turns' };
  },
  addedTurn: ({ turn, fixedTurns }, said) => {
    if (fixedTurns) return undefined;
    const turns = [...said.turns, userTurn('Seventeen velvet quarks hum quietly beyond the harbour.')];
    return { said: { ...said, turns }, name: `${turn(turns.length - 1, turns.length)} added`, about: 'turns' };
  },
  removedTurn: ({ turn, fixedTurns }, said) => {
    if (fixedTurns) return undefined;
    const name = `${turn(1, said.turns.length)} removed`;
    return { said: { ...said, turns: said.turns.toSpliced(1, 1) }, name, about: 'turns' };
  },
  date: ({ turn }, said) => {
    const last = said.turns.length - 1;
    const turns = withText(said, last, (text) => text.replace(/2026-04-0\d/, '2026-11-22'));
    return { said: { ...said, turns }, name: edited(turn(last, turns.length)), about: 'turns', mask: 'date' };
  },
  tool: ({ description }, said) =>
    description === undefined
      ? undefined
      : {
          said: { ...said, tools: { ...said.tools, refund: 'Refunds an order, in full or in part.' } },
          name: `tool refund ${description}`,
          about: 'tools',
        },
  addedTool: ({ description }, said) =>
    description === undefined
      ? undefined
      : {
          said: { ...said, tools: { ...said.tools, brew_tea: 'Brews tea.' } },
          name: 'tool brew_tea added',
          about: 'tools',
        },
  removedTool: ({ description }, said) => {
    const { refund: _, ...tools } = said.tools;
    return description === undefined
      ? undefined
      : { said: { ...said, tools }, name: 'tool refund removed', about: 'tools' };
  },
};

/** One or two changes. @type {(endpoint: Endpoint, said: Said, random: Random) => Seeded} */
export function seedDrift(endpoint, said, random) {
  const kinds = Object.values(CHANGES);
  const draw = (/** @type {Said} */ from) => kinds[random(kinds.length)]?.(endpoint, from, random);
  /** @type {Change | undefined} */
  let first;
  while (first === undefined) first = draw(said);
  let second = random(2) === 0 ? undefined : draw(first.said);
  if (second?.about === first.about) second = undefined;
  const changes = second === undefined ? [first] : [first, second];
  const masks = changes.every(({ mask }) => mask !== undefined) ? changes.map(({ mask }) => mask ?? '') : [];
  return { said: changes.at(-1)?.said ?? said, names: changes.map(({ name }) => name).sort(), masks };
}

/** @param {string} text @param {Random} random */
function reworded(text, random) {
  const words = text.split(' ');
  words[random(words.length)] = 'zzyzx';
  return words.join(' ');
}

/** A part that is not a message is a parameter. @param {string} part */
function named(part) {
  return part === 'model' ? part : `parameter ${part}`;
}

/** @param {string} part */
function edited(part) {
  return /^(?:message|`)/.test(part) ? `${part} edited` : named(part);
}

/** Everything that an explanation names, in the same words. @param {string} explanation */
export function namedIn(explanation) {
  return explanation
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => {
      const [, parameter] = /^ +parameter (\S+): /.exec(line) ?? [];
      if (parameter !== undefined) return `parameter ${parameter}`;
      const [, message, how] = /^ +message (\d+) \(\S+\) (\w+)/.exec(line) ?? [];
      if (message !== undefined) return `message ${message} ${how}`;
      const [, key, what] = /^ +(`\w+`) (\w+)/.exec(line) ?? [];
      if (key !== undefined) return `${key} ${what}`;
      const [, tool, place] = /^ +tool (\w+),? (\S+?):?(?: |$)/.exec(line) ?? [];
      if (tool !== undefined) return `tool ${tool} ${place}`;
      return /^ +model: /.test(line) ? 'model' : line.trim();
    })
    .sort();
}
