import { countWords, type ItemCounts } from '../../diff/similarity';
import { digest53 } from '../../hash/digest53';
import { compactJson, type Json } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import type { Message } from '../../model/message';
import {
  contentShape,
  distinguishingText,
  exchangeShape,
  messageContent,
  requestHead,
  responseShape,
} from './interactionShape';
import type { Normaliser } from './normaliser';

/**
 * The keys by which interactions are recognised, each computed once, on demand. Requests repeat the conversation so far, so
 * the keys of messages are shared.
 */
export class InteractionFacts {
  /** The key of each message's meaning, by the key of its exact content. */
  readonly #messages = new Map<string, string>();
  readonly #words = new Map<Interaction, ItemCounts>();

  constructor(private readonly normaliser: Normaliser) {}

  /** The exact content. */
  readonly exact = memoised((interaction) =>
    compactJson([
      interaction.id ?? null,
      requestHead(interaction) ?? null,
      this.#messageKeys(interaction),
      exchangeShape(interaction),
    ]),
  );
  /** The meaning, with the id of its format. */
  readonly named = memoised((interaction) => `${interaction.id ?? ''} ${this.whole(interaction)}`);
  readonly whole = memoised((interaction) => `${this.request(interaction)} ${this.#key(exchangeShape(interaction))}`);
  readonly request = memoised((interaction) => {
    const head = requestHead(interaction);
    return head === undefined ? '' : `${this.#key(head)} ${this.conversation(interaction)}`;
  });
  readonly conversation = memoised(({ request }) =>
    (request?.messages ?? []).map((message) => this.#meaning(message)).join(),
  );
  readonly response = memoised((interaction) => this.#key(responseShape(interaction)));

  words(interaction: Interaction): ItemCounts {
    const known = this.#words.get(interaction) ?? countWords(this.normaliser.text(distinguishingText(interaction)));
    this.#words.set(interaction, known);
    return known;
  }

  #messageKeys({ request }: Interaction): readonly string[] {
    return (request?.messages ?? []).map((message) => compactKey(compactJson(shapeOf(message))));
  }

  #meaning(message: Message): string {
    const exact = compactKey(compactJson(shapeOf(message)));
    const meaning = this.#messages.get(exact) ?? compactKey(this.normaliser.key(shapeOf(message)));
    this.#messages.set(exact, meaning);
    return meaning;
  }

  #key(shape: Json | undefined): string {
    return shape === undefined ? '' : this.normaliser.key(shape);
  }
}

function shapeOf(message: Message): Json {
  return contentShape(messageContent(message));
}

/** Computes a key once per interaction. */
function memoised(read: (interaction: Interaction) => string): (interaction: Interaction) => string {
  const known = new Map<Interaction, string>();
  return (interaction) => {
    const fact = known.get(interaction) ?? compactKey(read(interaction));
    known.set(interaction, fact);
    return fact;
  };
}

/** A short key of a long text, from its length, digest and end: thousands of them are kept and compared. */
function compactKey(text: string): string {
  return text.length <= 200 ? text : `${text.length}:${digest53(text)}:${text.slice(-40)}`;
}
