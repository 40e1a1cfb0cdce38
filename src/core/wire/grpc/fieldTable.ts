/** What a field holds: a scalar, or the name of a message; `@` is before that of an enumeration. */
type FieldKind = 's' | 'y' | 'b' | 'i' | 'f' | 'd' | (string & {});

export interface TableField {
  readonly name: string;
  readonly number: number;
  readonly kind: FieldKind;
  /** `list`, or a `map` with texts as its keys. */
  readonly many?: 'list' | 'map';
}

/** The fields of messages, and the names in enumerations. */
export class FieldTable {
  readonly #text: string;
  #lines: ReadonlyMap<string, string> | undefined;
  readonly #messages = new Map<string, MessageFields | undefined>();
  readonly #enumerations = new Map<string, EnumerationNames>();

  /**
   * A line for each message: its name, and `NAME=NUMBER` with what the field holds: `s` text, `y` bytes, `b`, `i` integer, `f`, `d`, or
   * a name, after `*` in a list and `%` in a map. A line for each enumeration: `@NAME`, and its names from 0 on, with `NUMBER=` after a gap.
   */
  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined for a message that is not known. */
  message(name: string): MessageFields | undefined {
    if (!this.#messages.has(name)) {
      const line = this.#line(name);
      this.#messages.set(name, line === undefined ? undefined : new MessageFields(line));
    }
    return this.#messages.get(name);
  }

  enumeration(kind: string): EnumerationNames {
    const names = this.#enumerations.get(kind) ?? new EnumerationNames(this.#line(kind) ?? '');
    this.#enumerations.set(kind, names);
    return names;
  }

  #line(name: string): string | undefined {
    this.#lines ??= new Map(
      this.#text.split('\n').map((line) => {
        const [first = '', ...rest] = line.split(' ');
        return [first, rest.join(' ')];
      }),
    );
    return this.#lines.get(name);
  }
}

class MessageFields {
  readonly #byNumber = new Map<number, TableField>();
  readonly #byName = new Map<string, TableField>();

  constructor(line: string) {
    for (const word of line.split(' ')) {
      const [, name = '', number = '', many, kind = ''] = /^(\w+)=(\d+)([*%])?(.+)$/.exec(word) ?? [];
      const field = {
        name,
        number: Number(number),
        kind,
        ...(many && ({ many: many === '*' ? 'list' : 'map' } as const)),
      };
      if (name === '') continue;
      this.#byNumber.set(field.number, field);
      this.#byName.set(name, field);
    }
  }

  numbered(number: number): TableField | undefined {
    return this.#byNumber.get(number);
  }

  named(name: string): TableField | undefined {
    return this.#byName.get(name);
  }
}

class EnumerationNames {
  readonly #names = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  constructor(line: string) {
    let next = 0;
    for (const word of line.split(' ')) {
      const [, number, name = ''] = /^(?:(\d+)=)?(\w+)$/.exec(word) ?? [];
      if (number !== undefined) next = Number(number);
      this.#names.set(next, name);
      this.#numbers.set(name, next);
      next += 1;
    }
  }

  name(number: number): string | undefined {
    return this.#names.get(number);
  }

  number(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}
