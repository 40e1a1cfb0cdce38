import { countPairs, countWords, diceSimilarity, type ItemCounts } from '../../diff/similarity';
import { digest53 } from '../../hash/digest53';
import { compactJson, type Json } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import type { Message } from '../../model/message';
import {
  callShape,
  contentShape,
  distinguishingText,
  exchangeShape,
  isEqualInteraction,
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
  /** The key of the exact content of each message that is only a text, by its role and that text: most are, and are repeated. */
  readonly #texts = new Map<string, Map<string, string>>();
  readonly #words = new Map<Interaction, ItemCounts>();
  readonly #asked = new Map<Interaction, ItemCounts>();
  readonly #shorts = new Map<Interaction, ShortTexts>();
  readonly #equal = new Map<Interaction, Interaction>();

  constructor(private readonly normaliser: Normaliser) {}

  /** The exact content. */
  readonly exact = memoised((interaction) =>
    compactJson([
      ownId(interaction) ?? null,
      requestHead(interaction) ?? null,
      this.#messageKeys(interaction),
      exchangeShape(interaction),
    ]),
  );
  /** The meaning, with the id of its format. */
  readonly named = memoised((interaction) => `${ownId(interaction) ?? ''} ${this.whole(interaction)}`);
  readonly whole = memoised((interaction) => `${this.request(interaction)} ${this.#key(exchangeShape(interaction))}`);
  readonly request = memoised((interaction) => {
    const head = requestHead(interaction);
    return head === undefined ? '' : `${this.#key(head)} ${this.conversation(interaction)}`;
  });
  readonly conversation = memoised(({ request }) =>
    (request?.messages ?? []).map((message) => this.#meaning(message)).join(),
  );
  /** What is asked, whatever the instructions and the conversation before it are: one of a few turns alone has it. */
  readonly asked = memoised(({ kind, request }) => {
    const asked = newMessages(request?.messages ?? []);
    return asked.length === 0 ? '' : `${kind} ${asked.map((message) => this.#meaning(message)).join()}`;
  });
  /** What is read of vectors is the same for all of a model. */
  readonly response = memoised((interaction) =>
    interaction.response?.parts?.some(({ type }) => type === 'embeddings') ? '' : this.#key(responseShape(interaction)),
  );

  /** Whether the exact content is equal. Keeps nothing of it: most interactions of two long tapes are equal. */
  isSame(before: Interaction, after: Interaction): boolean {
    if (this.#equal.get(before) === after) return true;
    if (!isEqualInteraction(before, after)) return exactText(before) === exactText(after);
    this.#equal.set(before, after);
    return true;
  }

  /** Remembers that the exact content is equal. */
  setEqual(before: Interaction, after: Interaction): void {
    this.#equal.set(before, after);
  }

  /** Whether the two are known to have no difference at all. */
  areKnownEqual(before: Interaction | undefined, after: Interaction | undefined): boolean {
    return before !== undefined && after !== undefined && this.#equal.get(before) === after;
  }

  words(interaction: Interaction): ItemCounts {
    const known = this.#words.get(interaction) ?? countWords(this.normaliser.text(distinguishingText(interaction)));
    this.#words.set(interaction, known);
    return known;
  }

  /** From 0 to 1, by the words of what is asked: the response may be another one altogether. 0 for what is short. */
  askedLikeness(before: Interaction, after: Interaction): number {
    const [old, now] = [this.#askedWords(before), this.#askedWords(after)];
    return Math.min(old.size, now.size) < MIN_WORDS ? 0 : diceSimilarity(old, now);
  }

  #askedWords(interaction: Interaction): ItemCounts {
    const known = this.#asked.get(interaction) ?? countWords(this.normaliser.text(askedText(interaction)));
    this.#asked.set(interaction, known);
    return known;
  }

  /**
   * From 0 to 1, by the letters of request and response. Two words in which short texts differ are most of their words, but
   * few of their letters. 0 for long texts.
   */
  likeness(before: Interaction, after: Interaction): number {
    const sides = [this.#letters(before), this.#letters(after)] as const;
    const shares = (['request', 'response'] as const).flatMap((part) => {
      const [old, now] = [sides[0][part], sides[1][part]];
      return old.size + now.size === 0 ? [] : [diceSimilarity(old, now)];
    });
    if (sides.some(({ isShort }) => !isShort) || shares.length === 0) return 0;
    return MAIN_SHARE * Math.max(...shares) + (1 - MAIN_SHARE) * Math.min(...shares);
  }

  #letters(interaction: Interaction): ShortTexts {
    const known = this.#shorts.get(interaction) ?? shortTexts(interaction, this.normaliser);
    this.#shorts.set(interaction, known);
    return known;
  }

  #messageKeys({ request }: Interaction): readonly string[] {
    return (request?.messages ?? []).map((message) => this.#exactKey(message));
  }

  #exactKey(message: Message): string {
    if (!isOnlyText(message)) return exactKey(message);
    const { role, content } = message;
    const ofRole = this.#texts.get(role) ?? new Map<string, string>();
    const key = ofRole.get(content) ?? exactKey(message);
    this.#texts.set(role, ofRole.set(content, key));
    return key;
  }

  #meaning(message: Message): string {
    const exact = this.#exactKey(message);
    const meaning = this.#messages.get(exact) ?? compactKey(this.normaliser.key(shapeOf(message)));
    this.#messages.set(exact, meaning);
    return meaning;
  }

  #key(shape: Json | undefined): string {
    return shape === undefined ? '' : this.normaliser.key(shape);
  }
}

/** How much the part that is more alike, the request or the response, counts. */
const MAIN_SHARE = 0.8;
/** In characters. Longer texts have most pairs of letters in common, whatever they say. */
const SHORT = 100;

/** The pairs of letters in the new messages of the request and in the response. */
interface ShortTexts {
  readonly isShort: boolean;
  readonly request: ItemCounts;
  readonly response: ItemCounts;
}

/** The messages after the last one of the model, without instructions. */
function newMessages(messages: readonly Message[]): readonly Message[] {
  const last = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return last.filter(({ role }) => role !== 'system' && role !== 'developer');
}

/** With fewer different words, what is asked does not tell two requests apart. */
const MIN_WORDS = 5;

function askedText({ request }: Interaction): string {
  return newMessages(request?.messages ?? [])
    .flatMap(({ content }) => content ?? [])
    .join('\n');
}

function shortTexts(interaction: Interaction, normaliser: Normaliser): ShortTexts {
  const requestText = askedText(interaction);
  const response = interaction.kind === 'embedding' ? undefined : interaction.response;
  const calls = response?.toolCalls.map((call) => compactJson(callShape(call))) ?? [];
  const responseText = [response?.content ?? '', response?.error ?? '', ...calls].join('\n').trim();
  const isShort = requestText.length <= SHORT && responseText.length <= SHORT;
  const pairs = (text: string): ItemCounts => (isShort ? countPairs(normaliser.text(text)) : new Map());
  return { isShort, request: pairs(requestText), response: pairs(responseText) };
}

/** The id of its format; undefined where that is only the number of the interaction, which says nothing once others are gone. */
function ownId({ id, index }: Interaction): string | undefined {
  return id === `${index}` || id === `${index + 1}` ? undefined : id;
}

function exactText(interaction: Interaction): string {
  return compactJson([
    interaction.id ?? null,
    requestHead(interaction) ?? null,
    (interaction.request?.messages ?? []).map(shapeOf),
    exchangeShape(interaction),
  ]);
}

/** Whether nothing but role and text is compared of a message. */
function isOnlyText(message: Message): message is Message & { readonly content: string } {
  const { content, parts, toolCalls, name, isError } = message;
  return content !== null && toolCalls.length === 0 && (parts ?? name ?? isError) === undefined;
}

function exactKey(message: Message): string {
  return compactKey(compactJson(shapeOf(message)));
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
