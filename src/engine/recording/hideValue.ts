import { isRecord } from '../../core/json/json';

/** The value with all its strings, and the names of its members, hidden. The same object when nothing in it is secret. */
export function hideValue<T>(value: T, hide: (text: string) => string): T {
  return hidden(value, hide) as T;
}

function hidden(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => hidden(item, hide));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value);
  const changed = members.map(([name, member]) => [hide(name), hiddenMember(name, member, hide)] as const);
  const isSame = changed.every(
    ([name, member], index) => name === members[index]?.[0] && member === members[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(changed);
}

const NAMED = /^\{".*":"(.*)"\}$/s;

/** A member whose name tells that its value is secret is hidden whole. */
function hiddenMember(name: string, member: unknown, hide: (text: string) => string): unknown {
  const alone = hidden(member, hide);
  if (typeof alone !== 'string' || alone !== member || alone.length > 20_000) return alone;
  const written = JSON.stringify({ [name]: alone });
  const named = hide(written);
  return named === written ? alone : (NAMED.exec(named)?.[1] ?? '[redacted]');
}
