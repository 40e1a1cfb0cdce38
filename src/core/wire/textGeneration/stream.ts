import { asIndex, asRecord, asString, isBlank } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';
import { CHOICE_LISTS, generatedChoices, generatedText, itemText, pieceMember } from './read';

/** Joins events, each a response with some of the text. Of other members, the last value counts. */
export function joinGeneratedText(events: readonly StreamEvent[]): JsonRecord {
  const others = new Map<string, Json>();
  const choices = new Map<number, ChoiceBuilder>();
  for (const { event, data, json } of events) {
    const piece = pieceMember(json) ?? '';
    // Cohere ends with the whole response.
    const about = { ...json, ...asRecord(json.response) };
    for (const [key, value] of Object.entries(about)) if (!isBlank(value) && key !== piece) others.set(key, value);
    const listed = generatedChoices(json);
    for (const [at, item] of (listed.length > 0 ? listed : [{}]).entries()) {
      // Replicate's events are plain text.
      const text =
        event === 'output' ? data : at === 0 ? (generatedText(json) ?? asString(json[piece])) : itemText(item);
      const index = asIndex(item.index ?? json.index, at);
      const choice = choices.get(index) ?? new ChoiceBuilder();
      choices.set(index, choice);
      choice.add(item, text ?? deltaText(item));
    }
  }
  for (const name of [...CHOICE_LISTS, 'token', 'response']) others.delete(name);
  const ordered = [...choices].sort(([left], [right]) => left - right);
  return { ...Object.fromEntries(others), choices: ordered.map(([, choice]) => choice.build()) };
}

class ChoiceBuilder {
  readonly #others = new Map<string, Json>();
  #text = '';

  add(item: JsonRecord, text: string): void {
    this.#text += text;
    for (const [key, value] of Object.entries(item))
      if (key !== 'delta' && !isBlank(value)) this.#others.set(key, value);
  }

  build(): JsonRecord {
    return { ...Object.fromEntries(this.#others), text: this.#text };
  }
}

/** Mistral's fill-in-the-middle streams like a chat. */
function deltaText({ delta }: JsonRecord): string {
  return asString(asRecord(delta).content) ?? '';
}
