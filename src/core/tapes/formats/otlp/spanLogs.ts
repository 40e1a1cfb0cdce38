import { asRecord, isBlank } from '../../../json/fields';
import type { JsonNode } from '../../../json/jsonNode';
import { exactValue } from '../../../json/readJson';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { recordAt } from '../shared/traces/spanPlaces';
import { type OtelEvent, readEvent, spanOfRecord } from './span';

/** The log records of a file, by the span that they are about. Some SDKs write messages as such. */
export class SpanLogs {
  readonly #places = new Map<string, Span[]>();
  /** Of spans with the same id, the first has the records. */
  readonly #owners = new Map<string, number>();

  add(node: JsonNode, offset: number): void {
    const id = spanOfRecord(asRecord(exactValue(node)));
    const known = this.#places.get(id) ?? [];
    if (known.length === 0) this.#places.set(id, known);
    known.push({ start: offset + node.start, end: offset + node.end });
  }

  claim(id: string, { start }: Span): void {
    if (!this.#owners.has(id)) this.#owners.set(id, start);
  }

  /** The records of what was said in calls whose spans are not in the file. */
  unclaimed(text: TextParts): Span[] {
    const others = [...this.#places].filter(([id]) => !this.#owners.has(id)).flatMap(([, places]) => places);
    return others.filter((place) => tellsMessages(readEvent(recordAt(text, place))));
  }

  /** The records about a span. Read once the whole file was visited: they may come before or after it. */
  about(id: string, text: TextParts, { start }: Span): OtelEvent[] {
    if (this.#owners.get(id) !== start) return [];
    return (this.#places.get(id) ?? []).map((place) => readEvent(recordAt(text, place)));
  }
}

/** The names of attributes with what was said, in the conventions and in those of coding agents. */
const SAID = /(?:^|[._])(?:prompt|completion|messages|system_instructions|response_text)$/;

function tellsMessages({ name, body, attributes }: OtelEvent): boolean {
  if (name.startsWith('gen_ai.') && !isBlank(body)) return true;
  return Object.entries(attributes.values).some(([key, value]) => SAID.test(key) && !isBlank(value));
}
