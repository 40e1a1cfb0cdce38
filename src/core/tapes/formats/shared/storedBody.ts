import { decodeBase64, encodeBase64 } from '../../../bytes/base64';
import { concatBytes } from '../../../bytes/concatBytes';
import { decodeHex, encodeHex } from '../../../bytes/hex';
import { jsonStringSplices, unicodeEscape, valueSplices } from '../../../json/editJson';
import { omitUndefined } from '../../../json/fields';
import { compactJson, type Json } from '../../../json/json';
import type { JsonNode, JsonStringNode } from '../../../json/jsonNode';
import { exactValue, parseJson } from '../../../json/readJson';
import type { Chunk, HttpBody } from '../../../model/http';
import { t } from '../../../text/l10n';
import type { Splice } from '../../../text/splice';
import { rewritePieces } from '../../../text/splicesBetween';
import { replaceYamlString, type YamlWriter } from '../../../yaml/replaceYamlScalar';
import type { TapeFile } from '../../tapeFile';

/** Replaces a string of the file. */
export type WriteString = (node: JsonStringNode, value: string) => readonly Splice[];

/** A body as it is stored in a file, with functions that replace it. */
export interface StoredBody {
  readonly body: HttpBody;
  /** The node of the body; undefined if there is none. */
  readonly node: JsonNode | undefined;
  /** The problem with the stored form of the body. */
  readonly problem?: string;
  /** Undefined if the stored form cannot hold the new body. */
  replace(next: HttpBody, write: WriteString): readonly Splice[] | undefined;
  /** For a body that is stored as one string: the string for another body. */
  encode?(next: HttpBody): string | undefined;
}

export function noBody(node?: JsonNode): StoredBody {
  return { body: { type: 'none' }, node, replace: () => undefined };
}

/** A string that is the body. */
export function textBody(node: JsonNode | undefined): StoredBody {
  if (node?.type !== 'string') return noBody(node);
  return stringBody(node, { type: 'text', text: node.value }, (next) => (next.type === 'text' ? next.text : undefined));
}

/** A string that is the body in base64. */
export function base64Body(node: JsonNode | undefined): StoredBody {
  if (node?.type !== 'string') return noBody(node);
  const encode = (next: HttpBody) => (next.type === 'base64' ? next.base64 : undefined);
  const stored = stringBody(node, { type: 'base64', base64: node.value }, encode);
  return decodeBase64(node.value) === undefined ? { ...stored, problem: t('the body is not valid base64') } : stored;
}

function stringBody(
  node: JsonStringNode,
  body: HttpBody,
  encode: (next: HttpBody) => string | undefined,
): StoredBody & { readonly encode: typeof encode } {
  return {
    body,
    node,
    encode,
    replace: (next, write) => {
      const value = encode(next);
      return value === undefined ? undefined : value === node.value ? [] : write(node, value);
    },
  };
}

/** A string that is the body: as text, or as base64 by its tag. */
export function scalarBody(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.binary ? base64Body(node) : textBody(node);
}

/** The same, where `''` stands for no body. */
export function scalarOrNone(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.value === '' ? noBody(node) : scalarBody(node);
}

/** A string that is base64 without a tag. */
export function asBinary({ value, start, end }: JsonStringNode): JsonStringNode {
  return { type: 'string', value, binary: true, start, end };
}

/** A string that is the body, or a body of JSON that is stored parsed. */
export function plainBody(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' ? textBody(node) : jsonBody(node);
}

/** A body of JSON that is stored parsed: only the values that differ are written. */
export function jsonBody(node: JsonNode | undefined): StoredBody {
  if (node === undefined || (node.type === 'literal' && node.value === null)) return noBody(node);
  return {
    body: { type: 'json', json: exactValue(node) },
    node,
    replace: (next, write) => (next.type === 'json' ? changedValues(node, next.json, write) : undefined),
  };
}

/**
 * A text in pieces: the lines of a body, or the pieces received over the network, with the milliseconds before each.
 */
export function chunkedBody(node: JsonNode | undefined, delays: readonly (number | undefined)[] = []): StoredBody {
  if (node?.type !== 'array') return noBody(node);
  const nodes = node.items.filter((item) => item.type === 'string');
  const pieces = nodes.map(({ value }) => value);
  const chunks = pieces.map((data, index): Chunk => omitUndefined({ data, delayMs: delays[index] }));
  return {
    body: delays.length === 0 ? { type: 'text', text: pieces.join('') } : { type: 'chunks', chunks },
    node,
    replace: (next, write) => {
      const changed = nodes.length === 0 ? undefined : changedChunks(pieces, next);
      return (
        changed &&
        nodes.flatMap((piece, index) => {
          const value = changed[index] ?? piece.value;
          return value === piece.value ? [] : write(piece, value);
        })
      );
    },
  };
}

function changedChunks(pieces: readonly string[], next: HttpBody): readonly string[] | undefined {
  if (next.type === 'text') return rewritePieces(pieces, next.text);
  return next.type === 'chunks' ? next.chunks.map(({ data }) => data) : undefined;
}

/**
 * Polly.JS stores the pieces of a binary body as a string that is a JSON list of strings in base64 (before 6: in hex).
 */
export function binaryPartsBody(node: JsonNode | undefined): StoredBody {
  const parts = node?.type === 'string' ? parseJson(node.value) : undefined;
  if (node?.type !== 'string' || !isStrings(parts)) return base64Body(node);
  const isHex = parts.every((part) => /^(?:[0-9a-f]{2})*$/.test(part));
  const decoded = parts.map((part) => (isHex ? decodeHex(part) : decodeBase64(part)));
  const bytes = concatBytes(decoded.map((part) => part ?? new Uint8Array()));
  const stored = stringBody(node, { type: 'base64', base64: encodeBase64(bytes) }, (next) => {
    if (next.type !== 'base64') return undefined;
    return JSON.stringify([isHex ? encodeHex(decodeBase64(next.base64) ?? new Uint8Array()) : next.base64]);
  });
  return decoded.includes(undefined) ? { ...stored, problem: t('a part of the body is not valid base64') } : stored;
}

/** A string that is the body in hexadecimal. */
export function hexTextBody(node: JsonStringNode): StoredBody {
  const base64 = encodeBase64(decodeHex(node.value) ?? new Uint8Array());
  return stringBody(node, { type: 'base64', base64 }, (next) =>
    next.type === 'base64' ? encodeHex(decodeBase64(next.base64) ?? new Uint8Array()) : undefined,
  );
}

/** Bytes in hexadecimal, as one text or in pieces. They are not written. */
export function hexBody(node: JsonNode | undefined): StoredBody {
  if (node === undefined) return noBody(node);
  const parts = node.type === 'array' ? node.items : [node];
  const texts = parts.map((part) => (part.type === 'string' ? part.value : 'not hexadecimal'));
  const isHex = texts.every((text) => /^(?:[0-9a-f]{2})*$/i.test(text));
  const bytes = isHex ? concatBytes(texts.map(decodeHex)) : new Uint8Array();
  const body: StoredBody = { body: { type: 'base64', base64: encodeBase64(bytes) }, node, replace: () => undefined };
  return isHex ? body : { ...body, problem: t('the body is not valid hexadecimal') };
}

function isStrings(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

/** Writes the differences. A value that changes as a whole is written on one line, in a form valid in JSON and YAML. */
export function changedValues(node: JsonNode, next: Json, write: WriteString): Splice[] {
  return [...valueSplices(node, next, { string: write, value: (_, value) => compactJson(value) })];
}

/** Writes strings as in a JSON file. If the file is not UTF-8, characters without a byte in it are escaped. */
export function jsonStrings({ text: source, encoding }: Pick<TapeFile, 'text' | 'encoding'>): WriteString {
  return (node, value) => {
    const splices = jsonStringSplices(source, node, value);
    if (encoding === 'utf-8') return splices;
    return splices.map(({ text, ...span }) => ({ ...span, text: text.replace(/[^\0-\xff]/g, unicodeEscape) }));
  };
}

/** Writes strings as in a YAML file. */
export function yamlStrings(source: string, writer: YamlWriter): WriteString {
  return (node, value) => [replaceYamlString(source, node, value, writer)];
}
