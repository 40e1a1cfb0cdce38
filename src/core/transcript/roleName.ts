import type { InteractionKind } from '../model/interaction';

const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['system', 'System'],
  ['developer', 'Developer'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool result'],
  ['http', 'HTTP'],
  ['environment', 'Environment'],
]);

/** Who speaks in the place of an answer. */
export function responseRole(kind: InteractionKind): 'assistant' | 'http' | 'environment' {
  return kind === 'http' || kind === 'environment' ? kind : 'assistant';
}

/** As the interface calls a role; one that is not known is called what the tape calls it. */
export function roleName(role: string): string {
  return ROLE_NAMES.get(role) ?? (role || 'No role');
}
