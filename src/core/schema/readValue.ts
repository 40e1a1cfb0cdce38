import { isRecord, type Json, type JsonRecord } from '../json/json';
import { copyWrittenNumber } from '../json/writtenNumbers';
import { t } from '../text/l10n';
import { isOfType } from './accepts';
import type { Path, Refusal, Schema } from './schema';

/** Where a value stands, for what is wrong with it. */
export interface Place {
  /** The last name of its path. */
  readonly key: string;
  at(...path: Path): Place;
  report(refusal: Refusal): void;
}

/**
 * Reads a value. What is wrong is reported at its place, and then absent: what is needed has a blank value in its stead, and what
 * has a default gets that. So the result is to be used only if nothing was reported.
 */
export function readValue<T>(schema: Schema<T>, value: Json, place: Place): T {
  return (new Reader().read(schema, value, place) ?? blankOf(schema)) as T;
}

class Reader {
  #reported = 0;

  read({ anyOf, ...one }: Schema, written: Json, place: Place): unknown {
    const schema = anyOf?.find((each) => isOfType(each, written)) ?? anyOf?.[0] ?? one;
    const isOne = schema.mayBeOne && schema.items !== undefined && isOfType(schema.items, written);
    const value = isOne ? [written] : written;
    const wrongType = typeProblem(schema, value, place.key);
    if (wrongType !== undefined) {
      this.#report(place, wrongType);
      return undefined;
    }
    const before = this.#reported;
    const content = this.#readContent(schema, value, place);
    // A check can rely on what it is given.
    if (this.#reported > before) return content;
    const refused = schema.check?.(content as never) ?? [];
    for (const one of 'message' in refused ? [refused] : refused) this.#report(place, one);
    return content;
  }

  #report(place: Place, refusal: Refusal): void {
    this.#reported += 1;
    place.report(refusal);
  }

  #readContent(schema: Schema, value: Json, place: Place): unknown {
    const { items, prefixItems, properties, additionalProperties: others } = schema;
    if (Array.isArray(value) && prefixItems !== undefined)
      return prefixItems.map((item, index) => this.read(item, value[index] ?? null, place.at(index)));
    if (Array.isArray(value) && items !== undefined)
      return value.map((item, index) => this.read(items, item, place.at(index))).filter((item) => item !== undefined);
    if (!isRecord(value)) return value;
    if (properties !== undefined) return this.#readMembers(schema, value, place);
    if (others === undefined) return value;
    const members = Object.entries(value).map(
      ([key, member]) => [key, this.read(others, member, place.at(key))] as const,
    );
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }

  #readMembers({ properties = {}, required = [] }: Schema, value: JsonRecord, place: Place): object {
    const members: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(properties)) {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      const isNeeded = required.includes(key);
      if (member === undefined && isNeeded)
        this.#report(place, {
          message: t('missing field `{0}`', key),
          fix: t('Add {0} = "…".', key),
          code: `missing:${key}`,
        });
      const known = (member === undefined ? undefined : this.read(schema, member, place.at(key))) ?? schema.default;
      if (known !== undefined) members[key] = known;
      else if (isNeeded) members[key] = blankOf(schema);
      copyWrittenNumber(value, key, members, key);
    }
    return members;
  }
}

function blankOf(schema: Schema): unknown {
  const { type, enum: choices, const: only, minimum = 0, prefixItems = [], required = [], properties = {} } = schema;
  if (only !== undefined) return only;
  switch (type) {
    case 'string':
      return choices?.[0] ?? '';
    case 'boolean':
      return false;
    case 'array':
      return prefixItems.map(blankOf);
    case 'object':
      return Object.fromEntries(required.map((key) => [key, properties[key] && blankOf(properties[key])]));
    case undefined:
      return null;
    default:
      return minimum;
  }
}

function typeProblem(schema: Schema, value: Json, key: string): Refusal | undefined {
  const { enum: choices, refusal, items } = schema;
  const isRight =
    isOfType(schema, value) &&
    (items === undefined || (value as readonly Json[]).every((item) => isOfType(plain(items), item)));
  if (isRight) return undefined;
  if (choices === undefined || refusal === undefined || typeof value !== 'string')
    return { message: t('`{0}` must be {1}', key, expected(schema)), fix: t('Change the value of {0}.', key) };
  return {
    message: t(refusal, value),
    fix: t('Use one of: {0}.', choices.join(', ')),
    code: `choice:${choices.join(',')}`,
  };
}

/** A wrong item is told at its own place, unless it is of another type. */
function plain({ enum: _, ...schema }: Schema): Schema {
  return schema;
}

function expected({ type, const: only, minimum, items, prefixItems }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (prefixItems !== undefined) return t('a list with {0} values', prefixItems.length);
  switch (type) {
    case 'string':
      return t('a string');
    case 'boolean':
      return t('true or false');
    case 'integer':
      return t('a whole number of at least {0}', minimum ?? 0);
    case 'array':
      return items?.type === 'string' ? t('a list of strings') : t('a list of tables');
    case 'object':
      return t('a table');
    default:
      return minimum === undefined ? t('a number') : t('a non-negative number');
  }
}
