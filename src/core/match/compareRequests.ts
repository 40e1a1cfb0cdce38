import type { JsonRecord } from '../json/json';
import { alignMessages } from './alignMessages';
import type { RequestChanges, ToolChange } from './changes';
import type { RequestPart, RequestParts } from './requestParts';
import { valueChanges } from './valueChanges';

/** Everything in which a request differs from a recorded one, in the parts that people know a request by. */
export function compareRequests(recorded: RequestParts, now: RequestParts): RequestChanges {
  return {
    ...changed('address', recorded.address, now.address),
    ...changed('model', recorded.model, now.model),
    params: valueChanges(recorded.params, now.params),
    messages: alignMessages(recorded.messages, now.messages),
    tools: toolChanges(recorded.tools, now.tools),
  };
}

function changed<K extends string>(key: K, before: string | undefined, after: string | undefined): JsonRecord {
  return before === after
    ? {}
    : { [key]: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) } };
}

function toolChanges(recorded: readonly RequestPart[], now: readonly RequestPart[]): ToolChange[] {
  const [before, after] = [byName(recorded), byName(now)];
  const removed = [...before].filter(([key]) => !after.has(key));
  const added = [...after].filter(([key]) => !before.has(key));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const changes = kept.flatMap((key): ToolChange[] => {
    const [old, current] = [before.get(key), after.get(key)];
    if (old === undefined || current === undefined) return [];
    const values = valueChanges(old.value, current.value);
    return values.length === 0 ? [] : [{ type: 'changed', name: old.name, values }];
  });
  return [
    ...removed.map(([, { name }]): ToolChange => ({ type: 'removed', name })),
    ...added.map(([, { name }]): ToolChange => ({ type: 'added', name })),
    ...changes,
    ...movedTools(
      kept,
      [...after.keys()].filter((key) => before.has(key)),
      before,
    ),
  ];
}

/** The second tool of a name is another tool. */
function byName(tools: readonly RequestPart[]): Map<string, RequestPart> {
  const named = new Map<string, RequestPart>();
  for (const tool of tools) {
    let key = tool.name;
    for (let count = 2; named.has(key); count += 1) key = `${tool.name}\n${count}`;
    named.set(key, tool);
  }
  return named;
}

/** The first that is not where it was stands for all that follow from it. */
function movedTools(
  before: readonly string[],
  after: readonly string[],
  tools: ReadonlyMap<string, RequestPart>,
): ToolChange[] {
  const at = before.findIndex((key, index) => key !== after[index]);
  const name = at === -1 ? undefined : tools.get(after[at] ?? '')?.name;
  return name === undefined ? [] : [{ type: 'moved', name }];
}
