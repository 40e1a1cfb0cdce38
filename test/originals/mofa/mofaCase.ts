/** A case that MoFA and Tapedeck are both given, each in a folder of its own. */
export interface MofaCase {
  readonly group: string;
  readonly title: string;
  readonly args: readonly string[];
  /** By path. In texts, `{{upstream}}` is the address of the upstream, and `{{root}}` the folder of the case. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that the program runs in, from the root. */
  readonly cwd?: string;
  /** The responses of the upstream, in order; the last one is repeated. */
  readonly upstream?: readonly Reply[];
}

/** A response of the upstream. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Announces more bytes than it sends, and closes the connection. */
  readonly cut?: true;
  /** Closes the connection without a response. */
  readonly hangUp?: true;
}

/** A value as TOML writes it. */
export type Toml = string | number | boolean | Raw | readonly Toml[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: Toml;
}

/** TOML as it stands, for what JavaScript's values cannot say. */
export class Raw {
  constructor(readonly text: string) {}
}

export const raw = (text: string): Raw => new Raw(text);

/** A document with one line for each member of the root. */
export function toml(root: TomlTable): string {
  return Object.entries(root)
    .map(([key, value]) => `${JSON.stringify(key)} = ${inline(value)}\n`)
    .join('');
}

function inline(value: Toml): string {
  if (value instanceof Raw) return value.text;
  if (isList(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)} = ${inline(member)}`)
    .join(', ')}}`;
}

function isList(value: Toml): value is readonly Toml[] {
  return Array.isArray(value);
}

/** A copy of the table in which the member at `path` is `value`, or is gone. */
export function withMember(table: TomlTable, [key, ...rest]: readonly string[], value: Toml | undefined): TomlTable {
  if (key === undefined) throw new Error('a path has at least one key');
  const at = table[key];
  const inner = isList(at ?? '') ? at : undefined;
  if (rest.length === 0) {
    const { [key]: _, ...others } = table;
    return value === undefined ? others : { ...table, [key]: value };
  }
  if (inner !== undefined) {
    const [first = {}, ...more] = inner as readonly TomlTable[];
    return { ...table, [key]: [withMember(first, rest, value), ...more] };
  }
  return { ...table, [key]: withMember((at ?? {}) as TomlTable, rest, value) };
}
