import { comparableFromExchange } from '../../core/match/comparableRequest';
import { type RecordedRequest, recordedRequests } from '../../core/match/recordings';
import { type HashFunction, plainKeyOf } from '../../core/match/signature';
import type { HttpExchange } from '../../core/model/http';
import type { Interaction } from '../../core/model/interaction';
import type { Tape } from '../../core/model/tape';
import type { TapeFormat } from '../../core/tapes/format';
import { plainInteraction } from '../../core/tapes/lazyTape';
import { bodyFromBytes, decodeBody } from '../../core/wire/body/body';
import { comparablePath } from '../../core/wire/endpoints';
import { urlPath } from '../../core/wire/http';
import type { Recorder } from '../recording/recorder';
import { exactKey, sha256Binary } from './exactIndex';
import type { ServedResponse } from './servedResponse';
import { servedResponse } from './servedResponse';

/** A tape in memory. The secrets of its requests are hidden, like those of the requests that they are compared with. */
export class LoadedTape {
  readonly format: TapeFormat;
  readonly #tape: Tape;
  readonly #responses = new Map<number, ServedResponse | undefined>();

  constructor(tape: Tape, format: TapeFormat, recorder: Recorder) {
    this.format = format;
    this.#tape = {
      format: tape.format,
      problems: [],
      interactions: tape.interactions.map((interaction) =>
        interaction.http === undefined
          ? interaction
          : { ...plainInteraction(interaction), http: withoutSecrets(interaction.http, recorder) },
      ),
    };
  }

  get count(): number {
    return this.#tape.interactions.length;
  }

  /** The path of a request whose base is not known, as the tape has it: with the base of the recordings that end with it. */
  wholePath(path: string): string {
    const wanted = urlPath(path);
    const recorded = this.#tape.interactions.flatMap(({ http }) => (http === undefined ? [] : [urlPath(http.url)]));
    const bases = recorded.flatMap((one) => (one.endsWith(wanted) ? [one.slice(0, one.length - wanted.length)] : []));
    return `${bases[0] ?? ''}${path}`;
  }

  requests(): RecordedRequest[] {
    return recordedRequests(this.#tape, this.format);
  }

  /**
   * The exact key of each interaction; none where equal requests differ in their bytes, because then the bytes do not
   * decide which recording is next, and none where the tape has no HTTP.
   */
  keys(): (string | undefined)[] {
    const bytesOf = new Map<string, string>();
    const ambiguous = new Set<string>();
    const requests = this.#tape.interactions.map(({ http }) => http && { key: keyOf(http), meaning: meaningOf(http) });
    for (const { key, meaning } of requests.filter((one) => one !== undefined)) {
      if ((bytesOf.get(meaning) ?? key) !== key) ambiguous.add(meaning);
      bytesOf.set(meaning, key);
    }
    return requests.map((one) => (one === undefined || ambiguous.has(one.meaning) ? undefined : one.key));
  }

  interaction(index: number): Interaction | undefined {
    return this.#tape.interactions[index];
  }

  response(index: number): ServedResponse | undefined {
    const interaction = this.#tape.interactions[index];
    if (!this.#responses.has(index)) this.#responses.set(index, interaction && servedResponse(interaction));
    return this.#responses.get(index);
  }

  responses(): (ServedResponse | undefined)[] {
    return this.#tape.interactions.map(servedResponse);
  }
}

function withoutSecrets(http: HttpExchange, recorder: Recorder): HttpExchange {
  const body = decodeBody(http.requestBody, http.requestHeaders);
  const url = recorder.url(http.url);
  if (body.text === '') return { ...http, url };
  if (body.text !== undefined) return { ...http, url, requestBody: { type: 'text', text: recorder.text(body.text) } };
  const bytes = recorder.body(body.bytes, http.requestHeaders);
  return bytes === undefined ? { ...http, url } : { ...http, url, requestBody: bodyFromBytes(bytes) };
}

function keyOf({ method, url, requestHeaders, requestBody }: HttpExchange): string {
  return exactKey(method.toUpperCase(), comparablePath(url), decodeBody(requestBody, requestHeaders).bytes);
}

const hash: HashFunction = (text) => sha256Binary(text);

/** A signature that is equal for requests that the matcher treats as equal. */
function meaningOf(http: HttpExchange): string {
  return plainKeyOf(comparableFromExchange(http), hash);
}
