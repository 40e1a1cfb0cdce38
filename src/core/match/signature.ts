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

/** Sketches of messages and of long parameters for comparing their words, by digest. */
export type Sketches = Map<number, readonly number[]>;

export interface SigningOptions {
  readonly masks: readonly Mask[];
  readonly hash?: HashFunction;
  /** Collects the sketches of messages and long parameters. */
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
  const settings = [texts.model, ...texts.params];
  const digests = settings.map(digest53);
  if (sketches !== undefined) {
    collectSketches(sketches, messages, texts.messages);
    collectSketches(
      sketches,
      digests,
      settings.map((text) => (isLong(text) ? text : undefined)),
    );
  }
  return {
    key,
    plainKey: masks.length === 0 ? key : hash(keyText(plain, partTexts(plain))),
    address: parts.address ?? '',
    messages,
    tools: texts.tools.map(digest53),
    settings: digests,
  };
}

/** A parameter that is as long as this is a text, such as the query of a search, and is compared by its words. */
const LONG_SETTING = 60;

function isLong(text: string): boolean {
  return text.length >= LONG_SETTING;
}

function collectSketches(sketches: Sketches, digests: readonly number[], texts: readonly (string | undefined)[]): void {
  for (const [index, digest] of digests.entries()) {
    const text = texts[index];
    if (text !== undefined && !sketches.has(digest)) sketches.set(digest, sketchText(text));
  }
}

/** A text that is equal for requests that are equal under the masks, and only for those. */
export function maskedKey(parts: RequestParts, masks: readonly Mask[]): string {
  const masked = maskedParts(parts, masks);
  return keyText(masked, partTexts(masked));
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
