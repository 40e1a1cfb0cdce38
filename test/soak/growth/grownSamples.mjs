// Makes a small file of any format a large one: the list or the lines that are its interactions are there many times, with other ids.
import { parse, stringify } from 'yaml';

/** Counts the interactions of a file. @typedef {(path: string, text: string) => { format: string | undefined, count: number }} Count */

/** A file with its items so many times; undefined where no part of it can be repeated so that there are more interactions. @param {string} path @param {string} text @param {Count} countOf @returns {((times: number) => string) | undefined} */
export function grown(path, text, countOf) {
  const { format, count } = countOf(path, text);
  for (const make of waysToGrow(path, text)) {
    const larger = countOf(path, make(3));
    if (larger.format === format && larger.count >= 2 * Math.max(count, 1)) return make;
  }
  return undefined;
}

/** @param {string} path @param {string} text @returns {Generator<(times: number) => string>} */
function* waysToGrow(path, text) {
  const isYaml = /\.ya?ml$/.test(path);
  const lines = text.trim().split('\n');
  if (lines.length > 1 && lines.every((line) => parsed(line) !== undefined)) {
    const values = lines.map((line) => JSON.parse(line));
    for (const head of [0, 1, 2])
      yield (times) =>
        [...values.slice(0, head), ...repeated(values.slice(head), times)]
          .map((one) => `${JSON.stringify(one)}\n`)
          .join('');
    // A line by itself may be one that holds all.
    for (const at of values.keys())
      for (const place of listsIn(values[at]))
        yield (times) =>
          values.map((one, other) => `${JSON.stringify(other === at ? withList(one, place, times) : one)}\n`).join('');
    return;
  }
  const value = isYaml ? parsedYaml(text) : parsed(text);
  if (value === undefined) return;
  const write = (/** @type {unknown} */ one) =>
    isYaml ? stringify(one, { aliasDuplicateObjects: false, lineWidth: 0 }) : JSON.stringify(one, null, 2);
  for (const place of listsIn(value)) yield (times) => write(withList(value, place, times));
}

/** The places of the lists with objects in them, from the outside. @param {any} value @param {(string | number)[]} place @returns {Generator<(string | number)[]>} */
function* listsIn(value, place = []) {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) yield place;
  for (const [key, member] of Object.entries(value))
    yield* listsIn(member, [...place, Array.isArray(value) ? Number(key) : key]);
}

/** @param {any} value @param {readonly (string | number)[]} place @param {number} times @returns {any} */
function withList(value, [key, ...rest], times) {
  if (key === undefined) return repeated(value, times);
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? withList(item, rest, times) : item));
  return { ...value, [key]: withList(value[key], rest, times) };
}

/** @param {readonly unknown[]} items @param {number} times */
function repeated(items, times) {
  return Array.from({ length: times }, (_, time) => items.map((item) => renamed(item, time))).flat();
}

/** The same with other ids and other sentences. @param {any} value @param {number} time @param {string} [key] @returns {any} */
function renamed(value, time, key = '') {
  if (time === 0) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, time, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, time, name)]));
  if (typeof value !== 'string') return value;
  if (/(?:^|[_.])(?:id|uuid)$|(?:Id|Uuid|ID)$/.test(key)) return withNumber(value, time);
  return /^[A-Z][a-z]+ [^{}[\]":]*$/.test(value) ? `${value} ${time}` : value;
}

/** Ids of hexadecimal digits stay such. @param {string} id @param {number} time */
function withNumber(id, time) {
  if (!/^[\da-f-]{16,}$/i.test(id)) return `${id}${time}`;
  const number = time.toString(16);
  return id.slice(0, -number.length) + number;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function parsedYaml(text) {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
