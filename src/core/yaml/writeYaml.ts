import { writtenNumber } from '../json/writtenNumbers';
import type { UnescapedRange } from './analyseScalar';
import { type ScalarPlace, writeYamlBinary, writeYamlString } from './writeYamlScalar';

/** The values that can be written: JSON, and bytes as base64. Undefined members are omitted. */
export type YamlValue = null | boolean | number | bigint | string | YamlBinary | readonly YamlValue[] | YamlRecord;
export interface YamlRecord {
  readonly [key: string]: YamlValue | undefined;
}

/** Bytes that are written as base64; a class, so that they can be recognised. */
export class YamlBinary {
  constructor(readonly base64: string) {}
}

/** The YAML style of a program. */
export interface YamlStyle {
  readonly width?: number;
  readonly plainness?: UnescapedRange;
  /** The column at which base64 is wrapped. */
  readonly binaryColumns: number;
  /** The tag of bytes, with the header of their block. */
  readonly binaryTag: string;
  /** Whether multi-line texts are written as blocks. */
  readonly blocks?: boolean;
}

/** Writes a value in block style like libyaml, with lists not indented and a final line feed. */
export function writeYaml(value: YamlRecord, style: YamlStyle): string {
  return new YamlEmitter(style).members(value, 0);
}

class YamlEmitter {
  readonly #style: YamlStyle;

  constructor(style: YamlStyle) {
    this.#style = style;
  }

  members(record: YamlRecord, indent: number): string {
    const lines = Object.entries(record).flatMap(([key, value]) => {
      if (value === undefined) return [];
      const name = writeYamlString(key, key.includes('\n') ? '""' : '', this.#place(indent, 0));
      const text = this.#number(record, key) ?? this.#value(value, indent, indent + name.length + 2);
      return [`${' '.repeat(indent)}${name}:${text}`];
    });
    return lines.join('');
  }

  /** The text after a colon, including the last line end. `column` is the position of a scalar. */
  #value(value: YamlValue, indent: number, column: number): string {
    if (value instanceof YamlBinary) {
      const place = this.#place(indent, column);
      const token = writeYamlBinary(value.base64, '|\n', place, this.#style.binaryColumns);
      return ` ${this.#style.binaryTag}${token.slice(1)}`;
    }
    if (isList(value)) return value.length === 0 ? ' []\n' : `\n${this.#items(value, indent)}`;
    if (typeof value === 'object' && value !== null) {
      const members = this.members(value, indent + 2);
      return members === '' ? ' {}\n' : `\n${members}`;
    }
    return ` ${this.#scalar(value, indent, column)}`;
  }

  #items(list: readonly YamlValue[], indent: number): string {
    return list.map((item, at) => this.#item(item, indent, this.#number(list, at))).join('');
  }

  /** The text of a number that was written in another way than JavaScript writes it. */
  #number(holder: object, key: string | number): string | undefined {
    const lexeme = writtenNumber(holder, key);
    return lexeme === undefined ? undefined : ` ${yamlNumber(lexeme)}\n`;
  }

  #item(item: YamlValue, indent: number, number: string | undefined): string {
    const dash = `${' '.repeat(indent)}-`;
    if (number !== undefined) return dash + number;
    const nested = this.#nested(item, indent + 2);
    return nested === '' ? dash + this.#value(item, indent, indent + 2) : `${dash} ${nested.trimStart()}`;
  }

  /** The lines of a list or object inside a list, whose first line follows the dash. */
  #nested(item: YamlValue, indent: number): string {
    if (isList(item)) return this.#items(item, indent);
    const isRecord = typeof item === 'object' && item !== null && !(item instanceof YamlBinary);
    return isRecord ? this.members(item, indent) : '';
  }

  #scalar(value: null | boolean | number | bigint | string, indent: number, column: number): string {
    if (typeof value !== 'string') return `${plainScalarOf(value)}\n`;
    const isBlock = this.#style.blocks === true && value.includes('\n');
    const token = writeYamlString(value, isBlock ? '|\n' : '', this.#place(indent, column));
    return token.endsWith('\n') ? token : `${token}\n`;
  }

  #place(indent: number, column: number): ScalarPlace {
    const { width, plainness } = this.#style;
    const place = { indent: indent + 2, column, plainness: plainness ?? 'all' };
    return width === undefined ? place : { ...place, width };
  }
}

function plainScalarOf(value: null | boolean | number | bigint): string {
  return yamlNumber(`${value}`);
}

/** In YAML 1.1, a number with an exponent has a dot, and the exponent a sign. */
function yamlNumber(lexeme: string): string {
  return lexeme.replace(/^(-?\d+)[eE]/, '$1.0e').replace(/[eE](?=\d)/, 'e+');
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}
