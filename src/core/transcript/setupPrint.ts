import { fingerprint } from '../hash/fingerprint';
import type { ChatRequest } from '../tapes/tape';
import type { SetupChange } from './silentChange';

/** What stands around the messages of a request, as fingerprints. */
export interface SetupPrint {
  readonly model: string | undefined;
  readonly tools: ReadonlyMap<string, number>;
  readonly params: ReadonlyMap<string, number>;
}

/** What every request has anew: where it goes on, and who asks. */
const OF_THE_REQUEST = new Set(['previous_response_id', 'conversation', 'metadata', 'stream', 'stream_options']);

export function printSetup({ model, tools, params }: ChatRequest): SetupPrint {
  const kept = Object.entries(params).filter(([name]) => !OF_THE_REQUEST.has(name));
  return {
    model,
    tools: new Map(tools.map((tool) => [tool.name, fingerprint(tool)])),
    params: new Map(kept.map(([name, value]) => [name, fingerprint(value)])),
  };
}

/** What changed around the messages from one request (`before`, an interaction) to another. */
export function setupChanges(old: SetupPrint, now: SetupPrint, before: number, after: number): SetupChange[] {
  const change = (type: SetupChange['type'], name: string): SetupChange => ({ type, name, before, after });
  const names = new Set([...old.params.keys(), ...now.params.keys()]);
  const params = [...names].filter((name) => old.params.get(name) !== now.params.get(name));
  return [
    ...(old.model === now.model ? [] : [change('model-changed', now.model ?? '')]),
    ...toolChanges(old.tools, now.tools).map(([type, name]) => change(type, name)),
    ...params.map((name) => change('param-changed', name)),
  ];
}

type Tools = SetupPrint['tools'];

function toolChanges(old: Tools, now: Tools): (readonly [SetupChange['type'], string])[] {
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const come = [...now.keys()].filter((name) => !old.has(name));
  const other = [...now].filter(([name, print]) => old.has(name) && old.get(name) !== print);
  const order = (tools: Tools, others: Tools): string =>
    JSON.stringify([...tools.keys()].filter((name) => others.has(name)));
  return [
    ...gone.map((name) => ['tool-removed', name] as const),
    ...come.map((name) => ['tool-added', name] as const),
    ...other.map(([name]) => ['tool-changed', name] as const),
    ...(order(old, now) === order(now, old) ? [] : [['tools-reordered', ''] as const]),
  ];
}
