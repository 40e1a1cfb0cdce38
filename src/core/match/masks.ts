import { isRecord, type Json, type JsonRecord } from '../json/json';
import { type MaskPreset, PRESETS } from './maskPresets';

/**
 * A declared tolerance: a preset by its name (`uuid`), or a place in the body of the request as a JSON pointer
 * (RFC 6901) in which `*` stands for any member, such as `/metadata/*` or `/messages/0/content`.
 */
export type Mask =
  | { readonly type: 'preset'; readonly preset: MaskPreset }
  | { readonly type: 'path'; readonly path: readonly string[] };

/** The mask a text names; undefined where it names none. */
export function parseMask(text: string): Mask | undefined {
  if (text.startsWith('/')) return { type: 'path', path: text.slice(1).split('/').map(unescapePointer) };
  const preset = PRESETS.find(({ name }) => name === text);
  return preset && { type: 'preset', preset };
}

export function maskText(mask: Mask): string {
  return mask.type === 'preset' ? mask.preset.name : pointer(mask.path);
}

/** A JSON pointer, RFC 6901. */
export function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value with what the masks cover replaced by what they are called. `at` is where the value stands in the body. */
export function applyMasks(value: Json, masks: readonly Mask[], at: readonly (string | number)[] = []): Json {
  if (masks.length === 0) return value;
  const presets = masks.flatMap((mask) => (mask.type === 'preset' ? [mask.preset] : []));
  const paths = masks.flatMap((mask) => (mask.type === 'path' ? [mask.path] : []));
  return new Masking(presets).value(value, stillOpen(paths, at), '');
}

/** The rest of the paths that lead through a place. */
function stillOpen(paths: readonly (readonly string[])[], at: readonly (string | number)[]): readonly Path[] {
  return at.reduce<readonly Path[]>((open, key) => step(open, String(key)), paths);
}

type Path = readonly string[];

function step(paths: readonly Path[], key: string): readonly Path[] {
  if (paths.length === 0) return paths;
  return paths.filter(([first]) => first === key || first === '*').map((path) => path.slice(1));
}

const COVERED = '<masked>';

class Masking {
  readonly #presets: readonly MaskPreset[];

  constructor(presets: readonly MaskPreset[]) {
    this.#presets = presets;
  }

  value(value: Json, paths: readonly Path[], key: string, holder?: JsonRecord): Json {
    if (paths.some(({ length }) => length === 0)) return COVERED;
    if (typeof value === 'string') return this.#text(value, key, holder);
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, step(paths, `${index}`), ''));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.value(item, step(paths, name), name, value)]),
    );
  }

  #text(text: string, key: string, holder: JsonRecord | undefined): string {
    let masked = text;
    for (const preset of this.#presets) {
      if (holder !== undefined && preset.isWhole?.(key, holder) === true) return `<${preset.name}>`;
      for (const [pattern, replacement] of preset.patterns) masked = masked.replace(pattern, replacement);
    }
    return masked;
  }
}
