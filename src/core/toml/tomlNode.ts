import { isRecord, type Json } from '../json/json';
import type { JsonNode } from '../json/jsonDocument';
import type { TomlDocument, TomlPath } from './tomlDocument';

/** A TOML document as the tree that JSON and YAML are read into. A table stands where its header does. */
export function tomlNode(document: TomlDocument): JsonNode {
  return build(document.root, []);

  function build(value: Json, path: TomlPath): JsonNode {
    const span = document.span(path);
    if (isRecord(value)) {
      const members = Object.entries(value).map(([key, item]) => ({
        key,
        keySpan: document.span([...path, key]),
        value: build(item, [...path, key]),
      }));
      return { type: 'object', members, ...span };
    }
    if (typeof value === 'string') return { type: 'string', value, ...span };
    if (typeof value === 'number' || typeof value === 'bigint') {
      return { type: 'number', lexeme: String(value), ...span };
    }
    if (typeof value === 'object' && value !== null) {
      return { type: 'array', items: value.map((item, index) => build(item, [...path, index])), ...span };
    }
    return { type: 'literal', value, ...span };
  }
}
