import { type DiffPiece, diffText } from '../diff/diffText';
import { prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, Message, ToolDefinition } from '../model/message';
import { message, t } from '../text/l10n';
import type { MessagePlace, SetupChange, SilentChange } from './conversations/silentChange';
import { messageExtras } from './messageExtras';
import { roleName } from './roleName';

/** A silent change as shown to the user. */
export interface DescribedChange {
  readonly type: SilentChange['type'] | 'resent';
  /** Such as "System message edited". */
  readonly title: string;
  /** The last interaction before the change. */
  readonly since?: number;
  /** The tokens that were not read from the provider's cache because of it, where it is the first change of the request. */
  readonly uncached?: number;
  readonly diff: readonly DiffPiece[];
}

export type InteractionAt = (index: number) => Interaction | undefined;

/** Describes a change, with the text that was removed and added. */
export function describeSilentChange(change: SilentChange, at: InteractionAt): DescribedChange {
  if ('name' in change) return describeSetupChange(change, at);
  const before = 'before' in change ? messageAt(change.before, at) : undefined;
  const after = 'after' in change ? messageAt(change.after, at) : undefined;
  const role = (after ?? before)?.role ?? '';
  const isResponse = 'before' in change && change.before.message === 'response';
  return {
    type: change.type,
    title: isResponse ? t(RESPONSE_TITLES[change.type]) : t(MESSAGE_TITLES[change.type], roleWord(role)),
    ...('before' in change ? { since: change.before.interaction } : {}),
    diff: change.type === 'moved' ? [{ type: 'same', text: textOf(after) }] : diffText(textOf(before), textOf(after)),
  };
}

const RESPONSE_TITLES = {
  edited: message('Response edited'),
  dropped: message('Response dropped'),
  inserted: message('Response inserted'),
  moved: message('Response moved'),
} as const;
const MESSAGE_TITLES = {
  edited: message('{0} message edited'),
  dropped: message('{0} message dropped'),
  inserted: message('{0} message inserted'),
  moved: message('{0} message moved'),
} as const;

/** The name of a role before `message`; that of a tool is shorter than elsewhere. */
function roleWord(role: string): string {
  if (role === 'tool') return t('Tool');
  const name = roleName(role);
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function messageAt({ interaction, message }: MessagePlace, at: InteractionAt): Message | undefined {
  const { request, response } = at(interaction) ?? {};
  if (message !== 'response') return request?.messages[message];
  return response && { role: 'assistant', ...response };
}

/** All content of a message as one text. */
function textOf(message: Message | undefined): string {
  if (message === undefined) return '';
  const { content, toolCalls, parts, isError, toolCallId } = message;
  const calls = toolCalls.map(
    ({ name, arguments: args }) => `${name} ${typeof args === 'string' ? args : prettyJson(args)}`,
  );
  const extras = messageExtras(parts).map(({ label, text }) => t('{0}: {1}', label, text));
  const about = [...(toolCallId ? [t('result of {0}', toolCallId)] : []), ...(isError ? [t('failed')] : [])];
  return [...about, ...extras, ...(content ? [content] : []), ...calls].join('\n\n');
}

function describeSetupChange({ type, name, before, after }: SetupChange, at: InteractionAt): DescribedChange {
  return {
    type,
    since: before,
    title: setupTitle(type, name),
    diff: diffText(setupText(type, name, at(before)?.request), setupText(type, name, at(after)?.request)),
  };
}

function setupTitle(type: SetupChange['type'], name: string): string {
  const titles: Record<SetupChange['type'], string> = {
    'tool-added': t('Tool {0} added', name),
    'tool-removed': t('Tool {0} removed', name),
    'tool-changed': t('Definition of tool {0} changed', name),
    'tools-reordered': t('Tools reordered'),
    'param-changed': t('Parameter {0} changed', name),
    'model-changed': t('Model changed'),
  };
  return titles[type];
}

function setupText(type: SetupChange['type'], name: string, request: ChatRequest | undefined): string {
  if (request === undefined) return '';
  if (type === 'model-changed') return request.model ?? '';
  if (type === 'tools-reordered') return request.tools.map((tool) => tool.name).join('\n');
  if (type === 'param-changed') return Object.hasOwn(request.params, name) ? prettyJson(request.params[name]) : '';
  return toolText(request.tools.find((tool) => tool.name === name));
}

function toolText(tool: ToolDefinition | undefined): string {
  return tool === undefined ? '' : prettyJson(tool);
}
