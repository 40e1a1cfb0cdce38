import { asIndex, asRecord, asString, isBlank } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';
import { CHOICE_LISTS, generatedChoices, generatedText, itemText } from './read';

/** Each piece is an answer with some of the text; the last members of a name hold. */
export function joinGeneratedText(events: readonly StreamEvent[]): JsonRecord {
  const whole = new Map<string, Json>();
  const choices = new Map<number, ChoiceBuilder>();
  for (const { event, data, json } of events) {
    for (const [key, value] of Object.entries(json)) if (!isBlank(value)) whole.set(key, value);
    const listed = generatedChoices(json);
    for (const [at, item] of (listed.length > 0 ? listed : [{}]).entries()) {
      // Replicate streams the text itself.
      const text = event === 'output' ? data : at === 0 ? generatedText(json) : itemText(item);
      const index = asIndex(item.index, at);
      const choice = choices.get(index) ?? new ChoiceBuilder();
      choices.set(index, choice);
      choice.take(item, text ?? deltaText(item));
    }
  }
  for (const name of [...CHOICE_LISTS, 'token']) whole.delete(name);
  const ordered = [...choices].sort(([left], [right]) => left - right);
  return { ...Object.fromEntries(whole), choices: ordered.map(([, choice]) => choice.whole()) };
}

class ChoiceBuilder {
  readonly #others = new Map<string, Json>();
  #text = '';

  take(item: JsonRecord, text: string): void {
    this.#text += text;
    for (const [key, value] of Object.entries(item))
      if (key !== 'delta' && !isBlank(value)) this.#others.set(key, value);
  }

  whole(): JsonRecord {
    return { ...Object.fromEntries(this.#others), text: this.#text };
  }
}

/** What Mistral fills in comes as the pieces of a chat. */
function deltaText({ delta }: JsonRecord): string {
  return asString(asRecord(delta).content) ?? '';
}
