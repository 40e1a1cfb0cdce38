import type { Json } from '../json/json';
import { digest53 } from '../match/digest';
import type { Interaction, Message } from '../tapes/tape';
import { compactJson } from '../wire/compactJson';
import { answerShape, exchangeShape, gist, requestHead } from './interactionShape';
import { spokenMessage, spokenShape } from './messageShape';
import type { Normaliser } from './normaliser';
import { type Words, wordsOf } from './similarity';

/**
 * What interactions are recognised by, each worked out once, when it is asked for. Requests repeat the conversation so
 * far: a message that was seen before costs no more than a look.
 */
export class InteractionFacts {
  /** What each message means, by what it says to the last character. */
  readonly #messages = new Map<string, string>();
  readonly #words = new Map<Interaction, Words>();

  constructor(private readonly normaliser: Normaliser) {}

  /** All that it says, as it stands. */
  readonly exact = remembered((interaction) =>
    compactJson([
      interaction.id ?? null,
      requestHead(interaction) ?? null,
      this.#said(interaction),
      exchangeShape(interaction),
    ]),
  );
  /** All that it says that means something, with the name that its format gives it. */
  readonly named = remembered((interaction) => `${interaction.id ?? ''} ${this.whole(interaction)}`);
  readonly whole = remembered((interaction) => `${this.request(interaction)} ${this.#key(exchangeShape(interaction))}`);
  readonly request = remembered((interaction) => {
    const head = requestHead(interaction);
    return head === undefined ? '' : `${this.#key(head)} ${this.conversation(interaction)}`;
  });
  readonly conversation = remembered(({ request }) =>
    (request?.messages ?? []).map((message) => this.#meaning(message)).join(),
  );
  readonly answer = remembered((interaction) => this.#key(answerShape(interaction)));

  words(interaction: Interaction): Words {
    const known = this.#words.get(interaction) ?? wordsOf(this.normaliser.text(gist(interaction)));
    this.#words.set(interaction, known);
    return known;
  }

  #said({ request }: Interaction): readonly string[] {
    return (request?.messages ?? []).map((message) => brief(compactJson(shapeOf(message))));
  }

  #meaning(message: Message): string {
    const said = brief(compactJson(shapeOf(message)));
    const known = this.#messages.get(said) ?? brief(this.normaliser.key(shapeOf(message)));
    this.#messages.set(said, known);
    return known;
  }

  #key(shape: Json | undefined): string {
    return shape === undefined ? '' : this.normaliser.key(shape);
  }
}

function shapeOf(message: Message): Json {
  return spokenShape(spokenMessage(message));
}

/** The same question is answered once. */
function remembered(read: (interaction: Interaction) => string): (interaction: Interaction) => string {
  const known = new Map<Interaction, string>();
  return (interaction) => {
    const fact = known.get(interaction) ?? brief(read(interaction));
    known.set(interaction, fact);
    return fact;
  };
}

/** A long text by its length, its digest and how it ends: thousands of them are held and compared. */
function brief(text: string): string {
  return text.length <= 200 ? text : `${text.length}:${digest53(text)}:${text.slice(-40)}`;
}
