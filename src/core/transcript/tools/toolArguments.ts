import { isRecord, type Json, type JsonRecord, prettyJson } from '../../json/json';

/** The names of an argument: providers and agents write `file_path`, `filePath` and `path` for the same. */
type Names = readonly string[];

/** The arguments of a call, read one by one; `others` are those that have not been read. */
export class ToolArguments {
  readonly #read = new Set<string>();

  constructor(private readonly record: JsonRecord) {}

  /** The same arguments, with none marked as read. */
  unread(): ToolArguments {
    return new ToolArguments(this.record);
  }

  /** A text that is not empty. */
  text(...names: Names): string | undefined {
    const value = this.#take(names, (found) => typeof found === 'string' && found !== '');
    return typeof value === 'string' ? value : undefined;
  }

  /** A text, which may be empty. */
  anyText(...names: Names): string | undefined {
    const value = this.#take(names, (found) => typeof found === 'string');
    return typeof value === 'string' ? value : undefined;
  }

  /** The first text that is wanted, whatever its name. */
  textThat(isWanted: (text: string) => boolean): string | undefined {
    const wanted = Object.entries(this.record).find(([, value]) => isString(value) && isWanted(value));
    return wanted === undefined ? undefined : this.text(wanted[0]);
  }

  count(...names: Names): number | undefined {
    const value = this.#take(names, (found) => typeof found === 'number');
    return typeof value === 'number' ? value : undefined;
  }

  texts(...names: Names): readonly string[] | undefined {
    const value = this.#take(names, (found) => Array.isArray(found) && found.length > 0 && found.every(isString));
    return Array.isArray(value) ? value.filter(isString) : undefined;
  }

  counts(...names: Names): readonly number[] | undefined {
    const value = this.#take(names, (found) => Array.isArray(found) && found.every(isNumber));
    return Array.isArray(value) ? value.filter(isNumber) : undefined;
  }

  records(...names: Names): readonly ToolArguments[] | undefined {
    const value = this.#take(names, (found) => Array.isArray(found) && found.length > 0 && found.every(isRecord));
    return Array.isArray(value) ? value.filter(isRecord).map((record) => new ToolArguments(record)) : undefined;
  }

  /** Every argument that was not read, such as `timeout: 120000`. */
  get others(): readonly string[] {
    const rest = Object.entries(this.record).filter(([name, value]) => !this.#read.has(name) && value !== null);
    return rest.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : prettyJson(value)}`);
  }

  #take(names: Names, isWanted: (value: Json) => boolean): Json | undefined {
    const name = names.find((one) => Object.hasOwn(this.record, one) && isWanted(this.record[one] ?? null));
    if (name === undefined) return undefined;
    this.#read.add(name);
    return this.record[name];
  }
}

const isString = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => typeof value === 'number';
