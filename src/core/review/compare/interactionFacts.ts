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
 * What interactions are recognised by, each worked out once, when it is asked for. Requests repeat the conversation so
 * far: a message that was seen before costs no more than a look.
 */
export class InteractionFacts {
  /** What each message means, by what it says to the last character. */
  readonly #messages = new Map<string, string>();
  readonly #words = new Map<Interaction, ItemCounts>();

  constructor(private readonly normaliser: Normaliser) {}

  /** All that it says, as it stands. */
  readonly exact = memoised((interaction) =>
    compactJson([
      interaction.id ?? null,
      requestHead(interaction) ?? null,
      this.#said(interaction),
      exchangeShape(interaction),
    ]),
  );
  /** All that it says that means something, with the name that its format gives it. */
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

  #said({ request }: Interaction): readonly string[] {
    return (request?.messages ?? []).map((message) => compactKey(compactJson(shapeOf(message))));
  }

  #meaning(message: Message): string {
    const said = compactKey(compactJson(shapeOf(message)));
    const known = this.#messages.get(said) ?? compactKey(this.normaliser.key(shapeOf(message)));
    this.#messages.set(said, known);
    return known;
  }

  #key(shape: Json | undefined): string {
    return shape === undefined ? '' : this.normaliser.key(shape);
  }
}

function shapeOf(message: Message): Json {
  return contentShape(messageContent(message));
}

/** The same question is answered once. */
function memoised(read: (interaction: Interaction) => string): (interaction: Interaction) => string {
  const known = new Map<Interaction, string>();
  return (interaction) => {
    const fact = known.get(interaction) ?? compactKey(read(interaction));
    known.set(interaction, fact);
    return fact;
  };
}

/** A long text by its length, its digest and how it ends: thousands of them are held and compared. */
function compactKey(text: string): string {
  return text.length <= 200 ? text : `${text.length}:${digest53(text)}:${text.slice(-40)}`;
}
