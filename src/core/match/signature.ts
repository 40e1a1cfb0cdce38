import { sketchText } from '../diff/similarity';
import { sha256Hex } from '../hash/digest';
import { digest53 } from '../hash/digest53';
import { canonicalJson } from '../json/canonicalJson';
import type { Json } from '../json/json';
import type { Mask } from '../model/case';
import type { ComparableRequest } from './comparableRequest';
import { applyMasks, jsonPointer } from './masks';
import { type RequestPart, type RequestParts, requestParts } from './requestParts';

/** Returns a practically unique text, such as 64 hex digits. */
export type HashFunction = (text: string) => string;

/** The part of a recorded request that is kept for searching. Plain data, which an index file may store. */
export interface Signature {
  /** Equal for requests that are equal under the masks, and only for those. */
  readonly key: string;
  /** The same without masks. */
  readonly plainKey: string;
  readonly address: string;
  /** Digests of each message, each tool, and of the model and each parameter. */
  readonly messages: readonly number[];
  readonly tools: readonly number[];
  readonly settings: readonly number[];
}

/** Sketches of messages for comparing their words, by the digest of the message. */
export type Sketches = Map<number, readonly number[]>;

export interface SigningOptions {
  readonly masks: readonly Mask[];
  readonly hash?: HashFunction;
  /** Collects the sketches of the messages. */
  readonly sketches?: Sketches;
}

/** Reads a request once, in time proportional to its length. */
export function signRequest(
  request: ComparableRequest,
  { masks, hash = sha256Hex, sketches }: SigningOptions,
): Signature {
  const plain = requestParts(request);
  const parts = masks.length === 0 ? plain : maskedParts(plain, masks);
  const texts = partTexts(parts);
  const key = hash(keyText(parts, texts));
  const messages = texts.messages.map(digest53);
  if (sketches !== undefined) {
    for (const [index, digest] of messages.entries())
      if (!sketches.has(digest)) sketches.set(digest, sketchText(texts.messages[index] ?? ''));
  }
  return {
    key,
    plainKey: masks.length === 0 ? key : hash(keyText(plain, partTexts(plain))),
    address: parts.address ?? '',
    messages,
    tools: texts.tools.map(digest53),
    settings: [texts.model, ...texts.params].map(digest53),
  };
}

/** The parts with everything that the masks cover replaced. */
export function maskedParts(parts: RequestParts, masks: readonly Mask[]): RequestParts {
  const masked = (part: RequestPart): RequestPart => ({ ...part, value: applyMasks(part.value, masks, part.path) });
  const params = applyMasks(parts.params, masks);
  const model = parts.model === undefined ? {} : { model: String(applyMasks(parts.model, masks, ['model'])) };
  return {
    ...parts,
    ...model,
    params: params as RequestParts['params'],
    messages: parts.messages.map(masked),
    tools: parts.tools.map(masked),
  };
}

interface PartTexts {
  readonly model: string;
  readonly params: readonly string[];
  readonly messages: readonly string[];
  readonly tools: readonly string[];
}

function partTexts({ model = '', params, messages, tools }: RequestParts): PartTexts {
  const text = ({ value }: { readonly value: Json }): string => canonicalJson(value);
  const names = Object.keys(params).sort();
  return {
    model: `model ${model}`,
    params: names.map((name) => `${JSON.stringify(name)} ${canonicalJson(params[name] ?? null)}`),
    messages: messages.map(text),
    tools: tools.map(text),
  };
}

/** A text that differs for every two requests: no part contains a line break. */
function keyText(parts: RequestParts, { model, params, messages, tools }: PartTexts): string {
  const placed = (list: readonly RequestPart[], texts: readonly string[]) =>
    list.map(({ path }, index) => `${jsonPointer(path)} ${texts[index]}`);
  return [
    parts.address ?? '',
    JSON.stringify(model),
    ...params,
    ...placed(parts.messages, messages),
    ...placed(parts.tools, tools),
  ].join('\n');
}
