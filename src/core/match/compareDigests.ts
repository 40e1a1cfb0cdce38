import type { RequestDigests } from '../model/message';
import { countChanges, type MessageChange, type RequestChanges, type ToolChange } from './compareRequests';
import type { RecordedRequest } from './recordings';

interface NearDigests {
  readonly at: number;
  readonly changes: RequestChanges;
}

/**
 * The recording from which a request differs in the fewest parts, on a tape that keeps only digests of its requests. Where
 * nothing differs, the key was made of something else: undefined, as without digests.
 */
export function nearestByDigests(recorded: readonly RecordedRequest[], now: RequestDigests): NearDigests | undefined {
  const compared = recorded.flatMap(({ digests }, at) =>
    digests === undefined ? [] : [{ at, changes: compareDigests(digests, now) }],
  );
  const [nearest] = compared.sort((left, right) => countChanges(left.changes) - countChanges(right.changes));
  return nearest === undefined || countChanges(nearest.changes) === 0 ? undefined : nearest;
}

function compareDigests(recorded: RequestDigests, now: RequestDigests): RequestChanges {
  const isSameModel = recorded.model === now.model || recorded.model.endsWith(`/${now.model}`);
  return {
    ...(isSameModel ? {} : { model: { before: recorded.model, after: now.model } }),
    params:
      recorded.toolChoice === now.toolChoice
        ? []
        : [{ path: ['tool_choice'], ...present('before', recorded.toolChoice), ...present('after', now.toolChoice) }],
    messages: compareMessages(recorded.messages, now.messages),
    tools: compareTools(recorded.tools, now.tools),
  };
}

function present<K extends string>(key: K, value: string): Partial<Record<K, string>> {
  return value === '' ? {} : ({ [key]: value } as Record<K, string>);
}

/** By position, as digests do not say which messages resemble each other. */
function compareMessages(before: readonly string[], after: readonly string[]): MessageChange[] {
  const changes: MessageChange[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
    const [old, current] = [before[at], after[at]];
    const path = ['messages', at];
    if (old === current) continue;
    if (old === undefined) changes.push({ type: 'added', to: path, role: roleOf(current), value: null });
    else if (current === undefined) changes.push({ type: 'removed', from: path, role: roleOf(old), value: null });
    else changes.push({ type: 'edited', from: path, to: path, role: roleOf(current), values: [] });
  }
  return changes;
}

function roleOf(digest = ''): string {
  return digest.slice(0, Math.max(0, digest.lastIndexOf(':')));
}

function compareTools(before: RequestDigests['tools'], after: RequestDigests['tools']): ToolChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): ToolChange[] => {
    const isRecorded = Object.hasOwn(before, name);
    if (isRecorded && Object.hasOwn(after, name))
      return before[name] === after[name] ? [] : [{ type: 'changed', name, values: [] }];
    return [{ type: isRecorded ? 'removed' : 'added', name }];
  });
}
