import { sketchText } from '../diff/similarity';
import { sha256Hex } from '../hash/digest';
import { digest53 } from '../hash/digest53';
import { canonicalJson } from '../json/canonicalJson';
import { asRecord, omitKeys } from '../json/fields';
import type { Json } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import type { Mask } from '../model/case';
import type { ComparableRequest } from './comparableRequest';
import { withoutMaskedOrder } from './maskedOrder';
import { masking, pathLeftBy, withoutElementMasks } from './masks';
import { withCountedIds, withoutEmptyMembers } from './meaning';
import { type RequestPart, type RequestParts, requestParts } from './requestParts';

/** Returns a practically unique text, such as 64 hex digits. */
export type HashFunction = (text: string) => string;

/** The part of a recorded request that is kept for searching. Plain data, which an index file may store. */
export interface Signature {
  /** Equal for requests that mean the same under the masks, and only for those. */
  readonly key: string;
  /** Equal for requests that are equal, and only for those. */
  readonly plainKey: string;
  readonly address: string;
  /** Digests of each message, each tool, and of the model and each parameter. */
  readonly messages: readonly number[];
  readonly tools: readonly number[];
  readonly settings: readonly number[];
}

/** Sketches of messages and of long parameters for comparing their words, by digest. */
export type Sketches = Map<number, readonly number[]>;

interface SigningOptions {
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
  const textOf = memoisedText();
  const plainText = keyText(plain, partTexts(plain, textOf));
  const parts = maskedParts(plain, masks);
  const texts = partTexts(parts, textOf);
  const meant = withCountedIds(parts);
  const text = meant === plain ? plainText : keyText(meant, partTexts(meant, textOf));
  const key = hash(text);
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
    plainKey: text === plainText ? key : hash(plainText),
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

/** A text that is equal for requests that mean the same under the masks, and only for those. */
export function maskedKey(parts: RequestParts, masks: readonly Mask[]): string {
  const meant = withCountedIds(maskedParts(parts, masks));
  return keyText(meant, partTexts(meant, canonicalJson));
}

/** The `plainKey` of a request's signature, without the rest. */
export function plainKeyOf(request: ComparableRequest, hash: HashFunction): string {
  const parts = requestParts(request);
  return hash(keyText(parts, partTexts(parts, canonicalJson)));
}

/** The parts that are compared: those that the masks cover, and members that say nothing, are left out. */
export function maskedParts(parts: RequestParts, masks: readonly Mask[]): RequestParts {
  if (masks.length === 0) return withoutEmptyMembers(parts);
  const { model, ...others } = parts;
  const leftOf = masking(masks);
  const movesElements = withoutElementMasks(masks) !== undefined;
  const left = (part: RequestPart): readonly RequestPart[] => {
    const value = leftOf(part.value, { at: part.path });
    if (value === undefined) return [];
    if (value === part.value && !movesElements) return [part];
    return [{ ...part, value, ...(movesElements && { place: pathLeftBy(masks, part.path) }) }];
  };
  const modelLeft = model === undefined ? undefined : asRecord(leftOf({ model })).model;
  const params = modelLeft === undefined ? omitKeys(parts.params, '?model') : parts.params;
  const meaning = withoutEmptyMembers({
    ...others,
    ...(modelLeft === undefined ? {} : { model: String(modelLeft) }),
    params: asRecord(leftOf(params, { isSettings: parts.protocol !== undefined })),
    messages: parts.messages.flatMap(left),
    tools: parts.tools.flatMap(left),
  });
  return withoutMaskedOrder(meaning, masks);
}

type TextOf = (value: Json) => string;

/** Most values are the same before and after the masks, and are written once. */
function memoisedText(): TextOf {
  const texts = new Map<Json, string>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return canonicalJson(value);
    const text = texts.get(value) ?? canonicalJson(value);
    texts.set(value, text);
    return text;
  };
}

interface PartTexts {
  readonly model: string;
  readonly params: readonly string[];
  readonly messages: readonly string[];
  readonly tools: readonly string[];
}

function partTexts({ model = '', params, messages, tools }: RequestParts, textOf: TextOf): PartTexts {
  const text = ({ value }: { readonly value: Json }): string => textOf(value);
  const names = Object.keys(params).sort();
  return {
    model: `model ${model}`,
    params: names.map((name) => `${JSON.stringify(name)} ${textOf(params[name] ?? null)}`),
    messages: messages.map(text),
    tools: tools.map(text),
  };
}

/** A text that differs for every two requests: no part contains a line break. */
function keyText(parts: RequestParts, { model, params, messages, tools }: PartTexts): string {
  const placed = (list: readonly RequestPart[], texts: readonly string[]) =>
    list.map(({ path, place = path }, index) => `${jsonPointer(place)} ${texts[index]}`);
  return [
    parts.address ?? '',
    JSON.stringify(model),
    ...params,
    ...placed(parts.messages, messages),
    ...placed(parts.tools, tools),
  ].join('\n');
}
