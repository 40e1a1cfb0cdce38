import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { Frame } from './frames';

/** A string in one frame of a stream. */
export interface StringSite {
  readonly frame: number;
  /** Empty for a frame that is not an object or list, and whose data is the string. */
  readonly path: JsonPath;
  readonly text: string;
}

/**
 * The strings of a stream that may be pieces of one text, whatever the protocol: those at the same path in each frame,
 * and those with the same name, both also by the item they belong to, because a stream may interleave several choices,
 * calls and blocks. A string is in several of these lists. Lists of equal strings are left out.
 */
export function joinableStrings(frames: readonly Frame[]): (readonly StringSite[])[] {
  const collector = new SiteCollector();
  frames.forEach(({ event = '', data, json }, frame) => {
    if (typeof json === 'object' && json !== null) collector.value(json, { frame, path: [], names: '', item: event });
    else if (data !== '')
      collector.add({ frame, path: [], text: typeof json === 'string' ? json : data }, '', event, '');
  });
  return collector.lists();
}

/** Members that tell the items of a stream apart. */
const ITEM_MEMBERS = [
  'index',
  'type',
  'output_index',
  'content_index',
  'summary_index',
  'contentBlockIndex',
  'item_id',
] as const;

interface Place {
  readonly frame: number;
  readonly path: JsonPath;
  /** The names of the path, without positions in lists. */
  readonly names: string;
  /** The item, by its position in lists and by `ITEM_MEMBERS`. */
  readonly item: string;
}

class SiteCollector {
  readonly #lists = new Map<string, StringSite[]>();

  value(value: Json, place: Place): void {
    const { frame, path, names, item } = place;
    if (typeof value === 'string') {
      if (value !== '') this.add({ frame, path, text: value }, names, item, lastName(names));
    } else if (Array.isArray(value)) {
      value.forEach((one, index) => {
        this.value(one, { frame, path: [...path, index], names, item: `${item}/${index}` });
      });
    } else if (isRecord(value)) {
      const inside = itemOf(value, item);
      for (const [name, member] of Object.entries(value)) {
        if (typeof member === 'string' || (typeof member === 'object' && member !== null))
          this.value(member, { frame, path: [...path, name], names: `${names}.${name}`, item: inside });
      }
    }
  }

  add(site: StringSite, names: string, item: string, name: string): void {
    for (const key of [`path ${names}`, `item ${names} ${item}`, `name ${name}`, `named ${name} ${item}`]) {
      const list = this.#lists.get(key);
      if (list === undefined) this.#lists.set(key, [site]);
      else list.push(site);
    }
  }

  lists(): StringSite[][] {
    const seen = new Set<string>();
    return [...this.#lists.values()].filter((list) => {
      const [first, ...others] = list;
      if (first === undefined || others.every(({ text }) => text === first.text)) return false;
      // Lists of the same length that begin and end alike are nearly always the same.
      const identity = list.length > MOST_COMPARED ? undefined : list.map(siteId).join(' ');
      if (identity === undefined) return true;
      return !seen.has(identity) && seen.add(identity) !== undefined;
    });
  }
}

const MOST_COMPARED = 20_000;
const ids = new WeakMap<StringSite, number>();
let lastId = 0;

function siteId(site: StringSite): number {
  const id = ids.get(site) ?? ++lastId;
  ids.set(site, id);
  return id;
}

function lastName(names: string): string {
  return names.slice(names.lastIndexOf('.') + 1);
}

function itemOf(record: JsonRecord, item: string): string {
  let inside = item;
  for (const name of ITEM_MEMBERS) {
    const value = record[name];
    if (typeof value === 'number' || typeof value === 'string') inside += `#${value}`;
  }
  return inside;
}
