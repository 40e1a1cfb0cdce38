import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';

/** A value in an answer, or in one frame of it. */
export interface Place {
  readonly frame: number;
  readonly path: JsonPath;
  readonly value: Json;
}

/** Places that tell one value together: the pieces of a string in a stream, or a single place. */
export interface Telling {
  /** Tellings of one kind stand at the same place of the protocol, such as the arguments of several calls. */
  readonly kind: string;
  readonly places: readonly Place[];
}

/** What numbers the pieces of a stream: they belong together where all of these agree. */
const NUMBERS = new Set(['index', 'output_index', 'content_index', 'summary_index', 'contentBlockIndex', 'item_id']);

interface Step {
  readonly frame: number;
  readonly path: JsonPath;
  readonly kind: string;
  readonly group: string;
}

/** The strings of frames, pieces of the same string together, under the names that `isName` accepts. */
export function stringTellings(frames: readonly (Json | undefined)[], isName: (key: string) => boolean): Telling[] {
  const tellings = new Map<string, Place[]>();
  const kinds = new Map<string, string>();
  for (const { value, step, key } of placesOf(frames)) {
    if (typeof value !== 'string' || !isName(key)) continue;
    const group = `${step.kind}|${step.group}`;
    kinds.set(group, step.kind);
    const place = { frame: step.frame, path: step.path, value };
    const known = tellings.get(group);
    if (known === undefined) tellings.set(group, [place]);
    else known.push(place);
  }
  return [...tellings].map(([group, places]) => ({ kind: kinds.get(group) ?? group, places }));
}

/** The values under the names that `isName` accepts, each a telling of its own. */
export function valueTellings(
  frames: readonly (Json | undefined)[],
  isName: (key: string) => boolean,
  isValue: (value: Json) => boolean,
): Telling[] {
  return [...placesOf(frames)].flatMap(({ value, step, key }) =>
    isName(key) && isValue(value) ? [{ kind: step.kind, places: [{ frame: step.frame, path: step.path, value }] }] : [],
  );
}

interface Found {
  readonly value: Json;
  readonly step: Step;
  /** The name it stands under; items of a list have that of the list. */
  readonly key: string;
}

function* placesOf(frames: readonly (Json | undefined)[]): Generator<Found> {
  for (const [frame, json] of frames.entries()) {
    if (json === undefined) continue;
    const type = isRecord(json) && typeof json.type === 'string' ? json.type : '';
    yield* walk(json, { frame, path: [], kind: type, group: '' }, '');
  }
}

function* walk(value: Json, step: Step, key: string): Generator<Found> {
  yield { value, step, key };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, itemStep(step, index, item), key);
  } else if (isRecord(value)) {
    const group = step.group + numbersOf(value);
    for (const [name, member] of Object.entries(value))
      yield* walk(member, { ...step, path: [...step.path, name], kind: `${step.kind}.${name}`, group }, name);
  }
}

/** An item that says its number may stand anywhere in the list of a frame. */
function itemStep(step: Step, index: number, item: Json): Step {
  const isNumbered = isRecord(item) && typeof item.index === 'number';
  return {
    ...step,
    path: [...step.path, index],
    kind: `${step.kind}[]`,
    group: isNumbered ? step.group : `${step.group}[${index}]`,
  };
}

function numbersOf(record: JsonRecord): string {
  return Object.entries(record)
    .filter(([name, value]) => NUMBERS.has(name) && (typeof value === 'number' || typeof value === 'string'))
    .map(([name, value]) => `;${name}=${value}`)
    .join('');
}

/** The text that a telling of strings tells. */
export function toldText({ places }: Telling): string {
  return places.map(({ value }) => (typeof value === 'string' ? value : '')).join('');
}
