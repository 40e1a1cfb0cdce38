import { isRecord, type Json, type JsonRecord } from '../../core/json/json';

/** Makes up the arguments of a tool call from its schema, with words and numbers of the prompt. */
export function practiceArguments(schema: Json, prompt: string): JsonRecord {
  const value = new Imagination(prompt).value(isRecord(schema) ? schema : {}, '');
  return isRecord(value) ? value : {};
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Parameters that take the whole prompt. */
const WHOLE_PROMPT = /^(?:q|query|question|search|text|input|prompt|message|content)$/i;
/** Parameters that identify something by a number. */
const NUMBERED = /(?:^|_)(?:id|no|nr|number|code|order|ticket|invoice|account)$/i;
/** The topics of a prompt: quoted text, and names, which begin with a capital inside a sentence. */
const QUOTED = /["“”]([^"“”]+)["“”]/gu;
const NAME = /(?<=[\p{Ll}\d,;:]\s)\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*/gu;
const MAX_ITEMS = 10;
const MAX_PADDING = 1000;
const MAX_LENGTH = 10_000;

/** The words of one tool call: each topic of the prompt is used once, so that `from` and `to` differ. */
class Imagination {
  readonly #prompt: string;
  readonly #topics: string[];
  readonly #numbers: string[];

  constructor(prompt: string) {
    this.#prompt = prompt;
    const quoted = [...prompt.matchAll(QUOTED)].map(([, text = '']) => text);
    this.#topics = [...quoted, ...(prompt.match(NAME) ?? [])];
    this.#numbers = prompt.match(/-?\d+(?:\.\d+)?/g) ?? [];
  }

  value(schema: JsonRecord, name: string): Json {
    const given = schema.const ?? schema.default ?? first(schema.examples);
    if (given !== undefined) return given;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return this.#choice(schema.enum);
    const variant = [schema.anyOf, schema.oneOf, schema.allOf].map(first).find(isRecord);
    if (variant !== undefined) return this.value(variant, name);
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema, name);
      case 'number':
      case 'integer':
        return this.#number(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#text(schema, name);
    }
  }

  #object({ properties, required }: JsonRecord): JsonRecord {
    const schemas = isRecord(properties) ? properties : {};
    const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : Object.keys(schemas);
    return Object.fromEntries(
      names.map((name) => {
        const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
        return [name, this.value(isRecord(schema) ? schema : {}, name)];
      }),
    );
  }

  #array({ items, minItems }: JsonRecord, name: string): Json {
    const length = Math.min(numberOr(minItems, 1), MAX_ITEMS);
    return Array.from({ length }, () => this.value(isRecord(items) ? items : {}, name));
  }

  #number(schema: JsonRecord): number {
    const lowest = numberOr(schema.minimum, Number.NEGATIVE_INFINITY);
    const highest = numberOr(schema.maximum, Number.POSITIVE_INFINITY);
    const said = Math.min(Math.max(Number(this.#numbers.shift() ?? Math.max(1, lowest)), lowest), highest);
    return typeOf(schema) === 'integer' ? Math.trunc(said) : said;
  }

  #choice(options: readonly Json[]): Json {
    const prompt = this.#prompt.toLowerCase();
    const said = options.find((option) => typeof option === 'string' && prompt.includes(option.toLowerCase()));
    return said ?? options[0] ?? null;
  }

  #text({ format, minLength, maxLength }: JsonRecord, name: string): string {
    const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    const number = NUMBERED.test(name) ? this.#numbers.shift() : undefined;
    const topic = WHOLE_PROMPT.test(name) ? this.#prompt : this.#topics.shift();
    const text = known ?? number ?? topic ?? longestWord(this.#prompt);
    return text.padEnd(Math.min(numberOr(minLength, 0), MAX_PADDING), '.').slice(0, numberOr(maxLength, MAX_LENGTH));
  }
}

/** The type of a value: of a list, which JSON schema allows, the first that is not null. */
function typeOf({ type, properties }: JsonRecord): Json | undefined {
  if (Array.isArray(type)) return type.find((option) => option !== 'null') ?? null;
  return type ?? (isRecord(properties) ? 'object' : undefined);
}

function first(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function longestWord(text: string): string {
  const words = text.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}
