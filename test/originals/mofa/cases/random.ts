import type { Random } from '../../../soak/random';
import { type MofaCase, raw, type Toml, type TomlTable, toml } from '../mofaCase';
import { runOf } from './common';

const WORDS = ['refund', 'order', 'Größe', '😀', 'a "quote"', 'back\\slash', 'line\nbreak', 'tab\t', '', '0', 'null'];
const TOOLS = ['search', 'lookup', 'send_mail', 'sum'];

/** A case of everything at random. */
export function randomCase(random: Random, index: number): MofaCase {
  const tools = TOOLS.filter(() => random.chance(0.6)).map((name) => ({ name, table: tool(random, name) }));
  const names = [...tools.map(({ name }) => name), ...(random.chance(0.1) ? ['ghost'] : [])];
  const calls = names.length === 0 ? 0 : random.below(random.chance(0.1) ? 13 : 4);
  const steps = Array.from({ length: calls }, () => call(random, random.pick(names) ?? 'ghost'));
  const agent: TomlTable = random.chance(0.5) ? { agent: { name: word(random), description: word(random) } } : {};
  const files = Array.from({ length: random.below(3) }, (_, at) => ({
    path: `docs/${at}.md`,
    content: sentence(random),
  }));
  const document: TomlTable = {
    name: word(random),
    prompt: sentence(random),
    ...agent,
    ...(files.length > 0 ? { bootstrap_files: files } : {}),
    tools: tools.map(({ table }) => table),
    llm: { steps: [...steps, { type: 'text', content: sentence(random) }] },
    assert: {
      ...(random.chance(0.4) ? { contains: word(random) } : {}),
      ...(random.chance(0.4) ? { tool_called: random.pick([...names, 'sum']) ?? 'sum' } : {}),
    },
  };
  return runOf('random', `${index + 1}`, toml(document));
}

function tool(random: Random, name: string): TomlTable {
  const result: TomlTable = random.chance(0.7) ? { result: json(random, 0) } : {};
  return { name, description: word(random), schema: table(random, 0), ...result };
}

function call(random: Random, name: string): TomlTable {
  const content: TomlTable = random.chance(0.3) ? { content: word(random) } : {};
  return { type: 'tool_call', tool: name, arguments: table(random, 0), ...content };
}

function json(random: Random, depth: number): Toml {
  const kinds = ['text', 'integer', 'float', 'boolean', ...(depth < 3 ? ['list', 'table'] : [])];
  switch (random.pick(kinds)) {
    case 'integer':
      return raw(`${random.below(1_000_000) - 500_000}`);
    case 'float':
      return raw((random.below(10_000) / 100 - 50).toFixed(random.below(3) + 1));
    case 'boolean':
      return random.chance(0.5);
    case 'list':
      return Array.from({ length: random.below(4) }, () => json(random, depth + 1));
    case 'table':
      return table(random, depth + 1);
    default:
      return word(random);
  }
}

function table(random: Random, depth: number): TomlTable {
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, (_, at) => [
      `${random.pick(['z', 'a', 'M', 'é'])}${at}`,
      json(random, depth),
    ]),
  );
}

function word(random: Random): string {
  return random.pick(WORDS) ?? '';
}

function sentence(random: Random): string {
  return Array.from({ length: 1 + random.below(6) }, () => word(random)).join(' ');
}
