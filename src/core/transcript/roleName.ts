import type { InteractionKind } from '../model/interaction';
import { message, t } from '../text/l10n';

const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['system', message('System')],
  ['developer', message('Developer')],
  ['user', message('User')],
  ['assistant', message('Assistant')],
  ['tool', message('Tool result')],
  ['http', message('HTTP')],
  ['mcp', message('MCP')],
  ['environment', message('Environment')],
]);

/** The role of the response entry. */
export function responseRole(kind: InteractionKind): 'assistant' | 'http' | 'mcp' | 'environment' {
  return kind === 'http' || kind === 'mcp' || kind === 'environment' ? kind : 'assistant';
}

/** A role as shown to the user; an unknown role goes by its name on the tape. */
export function roleName(role: string): string {
  const known = ROLE_NAMES.get(role);
  return known === undefined ? role || t('No role') : t(known);
}
