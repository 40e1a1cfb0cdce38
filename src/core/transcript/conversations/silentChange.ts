import { fingerprintJson } from '../../json/fingerprintJson';
import type { ChatRequest } from '../../model/message';
import { PROTOCOLS } from '../../wire/registry';

/** A message on the tape: of an interaction's request by its place from 0, or its response. */
export interface MessagePlace {
  readonly interaction: number;
  readonly message: number | 'response';
}

/**
 * A difference between a request and the one before it, in the part that appears to be a mere repetition, so that the model
 * was sent something else than it seems.
 */
export type SilentChange =
  | { readonly type: 'edited'; readonly before: MessagePlace; readonly after: MessagePlace }
  | { readonly type: 'dropped'; readonly before: MessagePlace }
  | { readonly type: 'inserted'; readonly after: MessagePlace }
  | { readonly type: 'moved'; readonly before: MessagePlace; readonly after: MessagePlace }
  | SetupChange;

/** A change of the model, the tools or the parameters; `before` and `after` are interactions. */
export type SetupChange = {
  readonly type: 'tool-added' | 'tool-removed' | 'tool-changed' | 'tools-reordered' | 'param-changed' | 'model-changed';
  /** The name of the tool or the parameter. */
  readonly name: string;
  readonly before: number;
  readonly after: number;
};

/** Fingerprints of everything in a request but its messages. */
export interface SetupFingerprint {
  readonly model: string | undefined;
  readonly tools: ReadonlyMap<string, number>;
  readonly params: ReadonlyMap<string, number>;
}

/** Parameters that differ in every request. */
const PER_REQUEST_PARAMS = new Set([
  'metadata',
  'stream',
  'stream_options',
  ...PROTOCOLS.flatMap(({ requestIds = [] }) => requestIds),
]);

export function fingerprintSetup({ model, tools, params }: ChatRequest): SetupFingerprint {
  const kept = Object.entries(params).filter(([name]) => !PER_REQUEST_PARAMS.has(name));
  return {
    model,
    tools: new Map(tools.map((tool) => [tool.name, fingerprintJson(tool)])),
    params: new Map(kept.map(([name, value]) => [name, fingerprintJson(value)])),
  };
}

/** The changes of the setup from one interaction (`before`) to another. */
export function setupChanges(
  old: SetupFingerprint,
  now: SetupFingerprint,
  before: number,
  after: number,
): SetupChange[] {
  const change = (type: SetupChange['type'], name: string): SetupChange => ({ type, name, before, after });
  const names = new Set([...old.params.keys(), ...now.params.keys()]);
  const params = [...names].filter((name) => old.params.get(name) !== now.params.get(name));
  return [
    ...(old.model === now.model ? [] : [change('model-changed', now.model ?? '')]),
    ...toolChanges(old.tools, now.tools).map(([type, name]) => change(type, name)),
    ...params.map((name) => change('param-changed', name)),
  ];
}

type Tools = SetupFingerprint['tools'];

function toolChanges(old: Tools, now: Tools): (readonly [SetupChange['type'], string])[] {
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const added = [...now.keys()].filter((name) => !old.has(name));
  const changed = [...now].filter(([name, fingerprint]) => old.has(name) && old.get(name) !== fingerprint);
  const order = (tools: Tools, others: Tools): string =>
    JSON.stringify([...tools.keys()].filter((name) => others.has(name)));
  return [
    ...removed.map((name) => ['tool-removed', name] as const),
    ...added.map((name) => ['tool-added', name] as const),
    ...changed.map(([name]) => ['tool-changed', name] as const),
    ...(order(old, now) === order(now, old) ? [] : [['tools-reordered', ''] as const]),
  ];
}
