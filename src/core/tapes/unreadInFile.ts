import { nonBlankLines } from '../json/jsonLines';
import type { JsonNode } from '../json/jsonNode';
import { looksLikeJson } from '../json/jsonOutline';
import { readJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { readTextDocument } from '../syntax/textDocument';
import { listed } from '../text/counts';
import type { Problem } from '../text/source';
import type { TextParts } from '../text/textParts';
import type { TapeFormat } from './format';
import { notRead } from './notRead';
import { type SaidText, saidIn } from './saidTexts';

/** Larger files are not searched: it takes as long as reading them, and a look-alike of a small tape is one of a large tape as well. */
const LONGEST = 1_000_000;
/** So many texts are looked for within those that were read; others have to be one of them, as a whole. */
const MOST_WITHIN = 100;

/**
 * The problem of texts in a file, by the names of their members, which are in no interaction: they stand beside what is read of a record, or
 * in records that are not known. None for a tape that has another problem, from which that may follow.
 */
export function unreadInFile({ family, isReadWhole, isBeside }: TapeFormat, tape: Tape, text: TextParts): Problem[] {
  if ((family === 'http' || family === 'session') && isReadWhole !== true) return [];
  if (text.length > LONGEST || tape.problems.some(({ severity }) => severity !== 'info')) return [];
  // The response of an API that is not read, alone in its file.
  if (tape.interactions.some(({ kind, http }) => kind === 'http' && http === undefined)) return [];
  const missing = new Missing(documentsOf(text), family === 'script', isBeside);
  // The last requests of a log have what was said before.
  for (const one of tape.interactions.toReversed()) {
    if (missing.isEmpty) return [];
    missing.read(one);
  }
  const unread = missing.notWithin(tape.interactions);
  const [first] = unread;
  if (first === undefined) return [];
  const names = [...new Set(unread.map(({ name }) => `\`${name}\``))];
  return [notRead(listed(names.slice(0, 5)), { start: first.at, end: first.at + 1 })];
}

/** What is said in a file and was not found in what was read. */
class Missing {
  /** By the text. What JSON in a text says was read if the text was. */
  readonly #texts = new Map<string, SaidText>();
  readonly #calls = new Map<string, SaidText>();
  readonly #tools = new Map<string, SaidText>();

  constructor(documents: readonly PlacedDocument[], isScript: boolean, isBeside: TapeFormat['isBeside']) {
    for (const { node, offset } of documents)
      for (const said of saidIn(node, isBeside)) {
        // Those of a script need not be offered in a request.
        if (said.kind === 'tool' && isScript) continue;
        const texts = this.#of(said);
        if (!texts.has(said.text)) texts.set(said.text, { ...said, at: said.at + offset });
      }
  }

  get isEmpty(): boolean {
    return this.#texts.size + this.#calls.size + this.#tools.size === 0;
  }

  read(one: Interaction): void {
    const { tools = [], ...request } = one.request ?? {};
    for (const { name } of tools) this.#tools.delete(name.trim());
    visitTexts([request, saidOf(one)], (read) => this.#texts.delete(read.trim()));
    for (const { toolCalls, parts } of [...(one.request?.messages ?? []), ...(one.response ? [one.response] : [])]) {
      for (const { name } of toolCalls) this.#calls.delete(name.trim());
      visitTexts(parts, (read) => this.#calls.delete(read.trim()));
    }
    visitTexts([one.declared, one.mcp, one.http], (read) => {
      this.#calls.delete(read.trim());
      this.#tools.delete(read.trim());
    });
    if (one.kind === 'tool') visitTexts(one.request?.messages, (read) => this.#calls.delete(read.trim()));
  }

  /** Those that are no part of a text that was read either. */
  notWithin(interactions: readonly Interaction[]): readonly SaidText[] {
    for (const said of [...this.#texts.values()]) {
      const inside = opened(said);
      if (inside === undefined) continue;
      this.#texts.delete(said.text);
      for (const one of inside) this.#of(one).set(one.text, one);
    }
    const inside = [...this.#texts.values()].filter(({ kind }) => kind === 'text');
    let texts = inside.slice(0, MOST_WITHIN);
    for (const one of interactions) {
      this.read(one);
      if (texts.length > 0)
        visitTexts([one.request, saidOf(one)], (read) => {
          texts = texts.filter(({ text }) => !read.includes(text));
        });
    }
    return [...texts, ...this.#calls.values(), ...this.#tools.values()];
  }

  #of({ kind }: SaidText): Map<string, SaidText> {
    return kind === 'call' ? this.#calls : kind === 'tool' ? this.#tools : this.#texts;
  }
}

/** A document of a text, whose places are from there on. */
interface PlacedDocument {
  readonly node: JsonNode;
  readonly offset: number;
}

/** The documents of a text in JSON, lines of JSON, YAML, or TOML; those that are broken are left out. */
function documentsOf(text: TextParts): PlacedDocument[] {
  if (!looksLikeJson(text)) {
    const { roots, problems } = readTextDocument(text);
    return problems.length > 0 ? [] : roots.map((node) => ({ node, offset: 0 }));
  }
  const whole = jsonOf(text);
  if (whole !== undefined) return [{ node: whole, offset: 0 }];
  return nonBlankLines(text).flatMap(({ start, end }) => {
    const node = jsonOf(text.slice(start, end));
    return node === undefined ? [] : [{ node, offset: start }];
  });
}

function jsonOf(text: TextParts): JsonNode | undefined {
  const { value, problems } = readJson(text);
  return problems.length > 0 ? undefined : value;
}

const JSON_TEXT = /^(?:\{\s*["}]|\[\s*[[{"\]])/;

/** What is said in a text that is JSON by itself, such as the input of a span, nothing if it was cut off; undefined for another text. */
function opened({ text, kind, at }: SaidText): SaidText[] | undefined {
  if (!JSON_TEXT.test(text)) return kind === 'json' ? [] : undefined;
  const inside = jsonOf(text);
  return (inside === undefined ? [] : saidIn(inside))
    .filter((one) => one.kind !== 'json')
    .map((one) => ({ ...one, at }));
}

/** What is read of an interaction beside its request; not the pieces of its response, which that is made of. */
function saidOf({ response, declared, summary, mcp, http }: Interaction): unknown {
  const { chunks: _, ...said } = response ?? {};
  return [said, declared, summary, mcp, http];
}

function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) visitTexts(inner, visit);
}
