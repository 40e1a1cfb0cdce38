import type { InteractionKind } from '../model/interaction';

const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['system', 'System'],
  ['developer', 'Developer'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool result'],
  ['http', 'HTTP'],
  ['mcp', 'MCP'],
  ['environment', 'Environment'],
]);

/** The role of the response entry. */
export function responseRole(kind: InteractionKind): 'assistant' | 'http' | 'mcp' | 'environment' {
  return kind === 'http' || kind === 'mcp' || kind === 'environment' ? kind : 'assistant';
}

/** A role as shown to the user; an unknown role goes by its name on the tape. */
export function roleName(role: string): string {
  return ROLE_NAMES.get(role) ?? (role || 'No role');
}
