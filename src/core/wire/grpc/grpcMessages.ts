import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { compactJson } from '../../json/json';
import { parseExactJson } from '../../json/readJson';
import type { TalkEnd, TalkMessage } from '../realtime/talk';
import type { FieldTable } from './fieldTable';
import { type MessageType, messageBytes, messageJson } from './messageJson';
import { type KnownMethod, knownMethod } from './methods';
import { generativeLanguage } from './tables/generativeLanguage';
import { vertex } from './tables/vertex';
import { xai } from './tables/xai';

const TABLES: Readonly<Record<KnownMethod['table'], FieldTable>> = { generativeLanguage, vertex, xai };

/** The messages of a call, as they are on a tape. */
export class GrpcMessages {
  readonly #known: KnownMethod | undefined;

  constructor(url: string) {
    this.#known = knownMethod(url);
  }

  /**
   * A message as JSON, if the same bytes can be made of that: by the names of its fields, else by their numbers. Any other is base64, such
   * as what is no protobuf.
   */
  written(from: TalkEnd, bytes: Uint8Array): Pick<TalkMessage, 'data' | 'base64'> {
    const type = this.#type(from);
    for (const read of type === undefined ? [undefined] : [type, undefined]) {
      const json = messageJson(bytes, read);
      const data = json && compactJson(json);
      if (data !== undefined && isSame(bytes, messageOf(data, type))) return { data };
    }
    return { data: encodeBase64(bytes), base64: true };
  }

  /** The bytes of a message; undefined where somebody has made of it what is none. */
  bytes({ from, data, base64 }: TalkMessage): Uint8Array | undefined {
    return base64 ? decodeBase64(data) : messageOf(data, this.#type(from));
  }

  #type(from: TalkEnd): MessageType | undefined {
    return this.#known && { table: TABLES[this.#known.table], name: this.#known[from] };
  }
}

function messageOf(data: string, type: MessageType | undefined): Uint8Array | undefined {
  const json = parseExactJson(data);
  try {
    return json === undefined ? undefined : messageBytes(json, type);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isSame(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return left.length === right?.length && left.every((byte, at) => byte === right[at]);
}
