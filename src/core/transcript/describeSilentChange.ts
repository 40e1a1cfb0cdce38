import { type DiffPiece, diffText } from '../diff/diffText';
import { prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, Message, ToolDefinition } from '../model/message';
import { t } from '../text/l10n';
import type { MessagePlace, SetupChange, SilentChange } from './conversations/silentChange';
import { messageExtras } from './messageExtras';

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
  const subject = isResponse ? t('Response') : `${role.slice(0, 1).toUpperCase()}${role.slice(1)} message`;
  return {
    type: change.type,
    title: `${subject} ${VERBS[change.type]}`,
    ...('before' in change ? { since: change.before.interaction } : {}),
    diff: change.type === 'moved' ? [{ type: 'same', text: textOf(after) }] : diffText(textOf(before), textOf(after)),
  };
}

const VERBS = {
  edited: 'edited',
  dropped: 'dropped',
  inserted: 'inserted',
  moved: 'moved',
} as const;

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
  const extras = messageExtras(parts).map(({ label, text }) => `${label}: ${text}`);
  const about = [...(toolCallId ? [t('result of {0}', toolCallId)] : []), ...(isError ? ['failed'] : [])];
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
