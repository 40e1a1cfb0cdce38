import { eachString } from '../json/eachString';
import { readJson } from '../json/jsonDocument';
import { jsonStringSplices } from '../json/jsonStringSplices';
import { applySplices } from '../text/splice';
import { isBase64, unpackString } from './packedString';
import type { Substitution } from './substitution';

/** Text in base64 in JSON in gzip: nobody packs deeper. */
const MAX_DEPTH = 4;

/** A string with the values hidden, wherever they are in it. `blocked`: some are in a packing that is only read here. */
export interface Hidden {
  readonly text: string;
  readonly blocked: boolean;
}

/** Hides values in a string: where they stand, in what is packed into it, and in packed strings of JSON that it holds. */
export function hideValues(value: string, substitution: Substitution, depth = 0): Hidden {
  const packed = depth >= MAX_DEPTH || substitution.isValue(value) ? undefined : unpackString(value);
  if (packed !== undefined) {
    const inner = hideValues(packed.text, substitution, depth + 1);
    if (inner.text === packed.text) return { text: value, blocked: inner.blocked };
    const again = packed.repack(inner.text);
    return again === undefined ? { text: value, blocked: true } : { text: again, blocked: inner.blocked };
  }
  const opaque = isBase64(value) && !substitution.isValue(value);
  return inNested(substitution.replace(value, opaque), substitution, depth);
}

/** JSON in a string that may have packed strings: what is plain in it was found already. */
function inNested(value: string, substitution: Substitution, depth: number): Hidden {
  if (depth >= MAX_DEPTH || !/^\s*[{[]/.test(value.slice(0, 64)) || !MAY_PACK.test(value))
    return { text: value, blocked: false };
  const { value: root, problems } = readJson(value);
  if (root === undefined || problems.length > 0) return { text: value, blocked: false };
  let blocked = false;
  const splices = [...eachString(root)].flatMap((node) => {
    const hidden = hideValues(node.value, substitution, depth + 1);
    blocked ||= hidden.blocked;
    return hidden.text === node.value ? [] : jsonStringSplices(value, node, hidden.text);
  });
  return { text: applySplices(value, splices), blocked };
}

const MAY_PACK = /[A-Za-z0-9+/_-]{16}/;
