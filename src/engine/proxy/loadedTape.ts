import { canonicalJson } from '../../core/match/canonicalJson';
import type { WireRequest } from '../../core/match/wireRequest';
import type { Redactor } from '../../core/secrets/redactor';
import { recordedExchange } from '../../core/tapes/recordedExchange';
import type { Interaction, Tape } from '../../core/tapes/tape';
import { decodeBody } from '../../core/wire/body';
import { parseJson } from '../../core/wire/parseJson';
import { type Answer, answerOf } from './answer';
import { exactKey } from './exactIndex';
import { comparablePath } from './route';

/** A tape in memory, with its requests as they are compared and its answers as they are sent. */
export class LoadedTape {
  readonly tape: Tape;
  readonly #redactor: Redactor;
  readonly #answers = new Map<number, Answer | undefined>();

  constructor(tape: Tape, redactor: Redactor) {
    this.tape = tape;
    this.#redactor = redactor;
  }

  get count(): number {
    return this.tape.interactions.length;
  }

  /** The recorded requests, redacted like those they are compared with. */
  requests(): WireRequest[] {
    return this.tape.interactions.map((interaction) => this.#request(interaction));
  }

  /**
   * The exact key of each interaction; none where equal requests differ in their bytes, because then the bytes do not
   * tell which recording is the next, and none where the tape keeps no HTTP.
   */
  keys(): (string | undefined)[] {
    const requests = this.requests();
    const keys = requests.map(({ method, url, body }) => exactKey(method, url, body));
    const bytesOf = new Map<string, string>();
    const ambiguous = new Set<string>();
    const meanings = requests.map(meaningOf);
    for (const [index, meaning] of meanings.entries()) {
      const key = keys[index] ?? '';
      if ((bytesOf.get(meaning) ?? key) !== key) ambiguous.add(meaning);
      bytesOf.set(meaning, key);
    }
    return keys.map((key, index) => {
      const recorded = this.tape.interactions[index]?.http !== undefined;
      return recorded && !ambiguous.has(meanings[index] ?? '') ? key : undefined;
    });
  }

  answer(index: number): Answer | undefined {
    const interaction = this.tape.interactions[index];
    if (!this.#answers.has(index)) this.#answers.set(index, interaction && answerOf(interaction));
    return this.#answers.get(index);
  }

  answers(): (Answer | undefined)[] {
    return this.tape.interactions.map(answerOf);
  }

  #request(interaction: Interaction): WireRequest {
    const { method, url, requestHeaders, requestBody } = recordedExchange(interaction);
    const decoded = decodeBody(requestBody, requestHeaders);
    const text = decoded.text;
    const body = text === undefined ? decoded.bytes : Buffer.from(this.#redactor.text(text));
    return {
      method: method.toUpperCase(),
      url: this.#redactor.url(comparablePath(url)),
      headers: requestHeaders,
      body,
    };
  }
}

/** Equal for requests that say the same in other bytes. */
function meaningOf({ method, url, body }: WireRequest): string {
  const text = Buffer.from(body).toString('latin1');
  const json = parseJson(text);
  return `${method} ${url}\n${json === undefined ? text : canonicalJson(json)}`;
}
