import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { namedAt } from '../../schema/named';
import type { Path } from '../../schema/schema';
import { t } from '../../text/l10n';
import type { Span } from '../../text/source';
import { readToml, type TomlPath } from '../../toml/readToml';
import { scanToml, type TomlScan } from '../../toml/scanToml';
import {
  choice,
  completeToml,
  describeKey as describeKeyOf,
  type KeyDescription,
  type Offer,
  type Offers,
  snippetText,
  type TomlCompletion,
  valueAt,
} from '../../toml/schemaLanguage';
import { CASE } from './caseSchema';
import { looksLikeCase } from './looksLikeCase';
import { ownTape } from './ownTape';
import { maskOffers, modelOffers } from './sharedOffers';

/** Information about the workspace. */
export interface CaseSurroundings {
  /** The paths of the workspace's tapes, relative to the case's folder, with `/`. */
  readonly tapes: readonly string[];
  /** The tapes that other cases name, recorded or not, in the same form. */
  readonly takenTapes: readonly string[];
  /** Whether the case is in the root folder of its project, so that `..` leads out of it. */
  readonly isAtRoot: boolean;
  /** The name of a new case. */
  readonly name: string;
}

/** The completions at `offset`. Empty in TOML files other than cases. */
export function completeCase(text: string, offset: number, around: CaseSurroundings): readonly TomlCompletion[] {
  if (text.trim() === '' || /^\s*[a-z-]{1,20}\s*$/.test(text)) return [newCase(text, offset, around)];
  return looksLikeCase(text) ? completeToml(CASE, text, offset, offersOf(around)) : [];
}

function offersOf({ tapes, name }: CaseSurroundings): Offers {
  return {
    values(path, scan, names): readonly Offer[] {
      switch (names) {
        case 'tool':
          return toolOffers(scan);
        case 'tape':
          return tapes.map((text) => ({ text }));
        case 'model':
          return modelOffers(scan, path);
        case 'mask':
          return maskOffers();
        case 'case':
          return [{ text: name }];
        default:
          return argumentValueOffers(path, scan);
      }
    },
    keys: argumentOffers,
  };
}

function newCase(text: string, offset: number, around: CaseSurroundings): TomlCompletion {
  const lines = [
    `name = ${snippetText(1, around.name)}`,
    `prompt = ${snippetText(2, t('The prompt for the agent'))}`,
    '',
    '[llm]',
    `tape = ${snippetText(3, ownTape(around, 'tape.json'))}`,
    '',
    '[llm.provider]',
    `kind = ${choice(4, ['practice', 'ollama', 'open_ai_compatible', 'vscode_lm'])}`,
    '',
    '[assert]',
    `contains = ${snippetText(5, t('a word in the response'))}`,
    '$0',
  ];
  const about = t('A case with a tape, a provider to record it from, and an assertion.');
  return {
    label: t('Tapedeck case'),
    kind: 'case',
    insert: lines.join('\n'),
    about,
    replaces: wordAt(text, offset),
  };
}

function wordAt(text: string, offset: number): Span {
  const before = /[\w-]*$/.exec(text.slice(0, offset))?.[0].length ?? 0;
  const after = /^[\w-]*/.exec(text.slice(offset))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

/** Describes the key or table of a case at `offset`; undefined if there is no known one. */
export function describeKey(text: string, offset: number): KeyDescription | undefined {
  return describeKeyOf(CASE, text, offset);
}

/** The tool that a case names at `offset`, as it declares it. */
export function toolAt(text: string, offset: number): ToolReference | undefined {
  const scan = scanToml(text);
  const named = valueAt(scan, offset);
  if (named?.text === undefined || namedAt(CASE, named.path) !== 'tool') return undefined;
  const tool = declaredTools(scan).find(({ name }) => name === named.text);
  return tool && { name: tool.name, about: tool.description, declared: tool.span, span: named.valueSpan };
}

interface ToolReference {
  readonly name: string;
  readonly about: string;
  /** Its name under [[tools]]. */
  readonly declared: Span;
  readonly span: Span;
}

/** A reference in a case: to a file, by its path relative to the case's folder, or the name of the case itself. */
export interface CaseReference {
  readonly names: 'tape' | 'file' | 'case';
  readonly value: string;
  /** The value with its quotes. */
  readonly span: Span;
}

/** The references in a case; if the text does not parse, those that can be found anyway. */
export function caseReferences(text: string): readonly CaseReference[] {
  const { value: document } = readToml(text);
  return scanToml(text).entries.flatMap(({ path, text: written, valueSpan: span }) => {
    const names = namedAt(CASE, path);
    if (written === undefined || (names !== 'tape' && names !== 'file' && names !== 'case')) return [];
    const value = document === undefined ? plainText(text, span) : memberAt(document.root, path);
    return typeof value === 'string' ? [{ names, value, span }] : [];
  });
}

function memberAt(root: JsonRecord, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => (isRecord(at) ? at[key] : undefined), root);
}

/** The text of a string without escapes. */
function plainText(text: string, span: Span | undefined): string | undefined {
  return span && /^(["'])([^"'\\\n]*)\1$/.exec(text.slice(span.start, span.end))?.[2];
}

/** A tool that a case declares under [[tools]], found while the case is being edited. */
interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** The value of its name. */
  readonly span: Span;
  readonly path: TomlPath;
}

function declaredTools(scan: TomlScan): readonly DeclaredTool[] {
  return scan.entries.flatMap(({ path, text, valueSpan }) => {
    const [tools, index, key] = path;
    if (tools !== 'tools' || key !== 'name' || path.length !== 3 || text === undefined || text === '') return [];
    const tool = ['tools', index ?? 0];
    return [{ name: text, description: textAt(scan, [...tool, 'description']) ?? '', span: valueSpan, path: tool }];
  });
}

function toolOffers(scan: TomlScan): readonly Offer[] {
  return declaredTools(scan).map(({ name, description }) => ({ text: name, about: description }));
}

/** The arguments of a scripted or an expected call, or of a result of a tool, by the schema of the tool. */
function argumentOffers(path: TomlPath, scan: TomlScan): readonly Offer[] {
  const schema = argumentSchema(path, scan);
  if (schema === undefined) return [];
  const properties = [...schema, 'properties'];
  return membersAt(scan, properties).map((text) => {
    const type = textAt(scan, [...properties, text, 'type']);
    const choices = textsAt(scan, [...properties, text, 'enum']);
    return {
      text,
      about: textAt(scan, [...properties, text, 'description']) ?? '',
      detail: type,
      value: choices.length > 0 ? '"$1"' : (PLACEHOLDERS[type ?? ''] ?? '$1'),
    };
  });
}

/** The values that the schema of a tool allows for an argument. */
function argumentValueOffers(path: TomlPath, scan: TomlScan): readonly Offer[] {
  const schema = argumentSchema(path, scan);
  return schema === undefined ? [] : textsAt(scan, [...schema, 'enum']).map((text) => ({ text }));
}

/** Numbers and the like have no brackets of their own. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  string: '"$1"',
  array: '[$1]',
  object: '{ $1 }',
};

/** The path of the schema of the arguments at `path`, or of one of them; undefined elsewhere. */
function argumentSchema(path: TomlPath, scan: TomlScan): TomlPath | undefined {
  const called = calledAt(path, scan);
  const within = called?.within.flatMap((name) => (typeof name === 'number' ? ['items'] : ['properties', name]));
  return called && [...called.tool, 'schema', ...(within ?? [])];
}

/** The tool whose arguments are at `path`, and the path within these. */
function calledAt(path: TomlPath, scan: TomlScan): { tool: TomlPath; within: TomlPath } | undefined {
  const [root, list, index, key, ...rest] = path;
  const isCall = (root === 'llm' && list === 'steps') || (root === 'assert' && list === 'tool_args');
  if (isCall && index !== undefined && key === 'arguments') {
    const called = textAt(scan, [root, list, index, 'tool']);
    const tool = declaredTools(scan).find(({ name }) => name === called);
    return tool && { tool: tool.path, within: rest };
  }
  const [field, ...within] = rest;
  const isResult = root === 'tools' && list !== undefined && index === 'results' && field === 'arguments';
  return isResult ? { tool: ['tools', list], within } : undefined;
}

function textAt({ entries }: TomlScan, path: TomlPath): string | undefined {
  return entries.find((entry) => entry.text !== undefined && isAt(entry.path, path))?.text;
}

function textsAt({ entries }: TomlScan, path: TomlPath): readonly string[] {
  return entries.flatMap(({ path: at, text }) =>
    text !== undefined && at.length === path.length + 1 && isBelow(at, path) ? [text] : [],
  );
}

function membersAt({ entries, headers }: TomlScan, path: TomlPath): readonly string[] {
  const names = [...entries, ...headers].flatMap((one) => {
    const name = one.path[path.length];
    return isBelow(one.path, path) && typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}

function isAt(path: TomlPath, other: TomlPath): boolean {
  return path.length === other.length && isBelow(path, other);
}

function isBelow(path: TomlPath, ancestor: TomlPath): boolean {
  return ancestor.every((part, index) => path[index] === part);
}
