import { type DiffPiece, diffText } from '../diff/diffText';
import { prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, Message, ToolDefinition } from '../model/message';
import type { MessagePlace, SetupChange, SilentChange } from './conversations/silentChange';
import { messageExtras } from './messageExtras';

/** A silent change as the reader sees it. */
export interface DescribedChange {
  readonly type: SilentChange['type'];
  /** Such as "System message edited". */
  readonly title: string;
  /** The interaction that still had it as it was before. */
  readonly since?: number;
  readonly diff: readonly DiffPiece[];
}

export type InteractionAt = (index: number) => Interaction | undefined;

/** Puts a change into words, with what it took away and what it brought. */
export function describeSilentChange(change: SilentChange, at: InteractionAt): DescribedChange {
  if ('name' in change) return describeSetupChange(change, at);
  const before = 'before' in change ? messageAt(change.before, at) : undefined;
  const after = 'after' in change ? messageAt(change.after, at) : undefined;
  const role = (after ?? before)?.role ?? '';
  const isAnswer = 'before' in change && change.before.message === 'answer';
  const subject = isAnswer ? 'Answer' : `${role.slice(0, 1).toUpperCase()}${role.slice(1)} message`;
  const [old, now] = [textOf(before), textOf(after)];
  return {
    type: change.type,
    title: `${subject} ${VERBS[change.type]}`,
    ...('before' in change ? { since: change.before.interaction } : {}),
    diff: change.type === 'moved' ? [{ type: 'same', text: now }] : diffText(old, now),
  };
}

const VERBS = {
  edited: 'edited',
  dropped: 'left out',
  inserted: 'slipped in',
  moved: 'moved to another place',
} as const;

function messageAt({ interaction, message }: MessagePlace, at: InteractionAt): Message | undefined {
  const { request, response } = at(interaction) ?? {};
  if (message !== 'answer') return request?.messages[message];
  return response && { role: 'assistant', ...response };
}

/** All of a message as one text: what a change of it can be seen in. */
function textOf(message: Message | undefined): string {
  if (message === undefined) return '';
  const { content, toolCalls, parts, isError, toolCallId } = message;
  const calls = toolCalls.map(
    ({ name, arguments: args }) => `${name} ${typeof args === 'string' ? args : prettyJson(args)}`,
  );
  const asides = messageExtras(parts).map(({ label, text }) => `${label}: ${text}`);
  const about = [...(toolCallId ? [`answers ${toolCallId}`] : []), ...(isError ? ['failed'] : [])];
  return [...about, ...asides, ...(content ? [content] : []), ...calls].join('\n\n');
}

function describeSetupChange({ type, name, before, after }: SetupChange, at: InteractionAt): DescribedChange {
  const [old, now] = [at(before)?.request, at(after)?.request];
  return {
    type,
    since: before,
    title: setupTitle(type, name),
    diff: diffText(setupText(type, name, old), setupText(type, name, now)),
  };
}

function setupTitle(type: SetupChange['type'], name: string): string {
  const titles: Record<SetupChange['type'], string> = {
    'tool-added': `Tool ${name} added`,
    'tool-removed': `Tool ${name} removed`,
    'tool-changed': `Tool ${name} defined otherwise`,
    'tools-reordered': 'Tools in another order',
    'param-changed': `Parameter ${name} changed`,
    'model-changed': 'Model changed',
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
