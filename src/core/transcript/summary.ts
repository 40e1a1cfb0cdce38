import type { Interaction, InteractionKind, ProtocolId } from '../model/interaction';
import type { Message } from '../model/message';
import type { Continuation, Relation } from './conversations/conversationTracker';
import type { LanePlace } from './laneTracker';
import { describeMcp, type McpAside, mcpAside } from './mcpDetails';
import { describeHttp } from './messageExtras';
import type { InteractionMetrics } from './metrics';
import type { ShownMessage } from './pendingToolCalls';
import { isPlayable } from './playback';
import { responseRole } from './roleName';

/** The part of an interaction that is shown before its messages are loaded. */
export interface InteractionSummary extends LanePlace {
  readonly index: number;
  readonly kind: InteractionKind;
  readonly api?: ProtocolId;
  readonly model?: string;
  /** A few words of its new content. */
  readonly title: string;
  readonly conversation?: number;
  readonly relation?: Relation;
  /** The interaction whose messages this one repeats. */
  readonly base?: number;
  /** The number of messages that are not shown again. */
  readonly repeated: number;
  /** How many silent changes there are among the repeated messages. */
  readonly changes: number;
  readonly failed: boolean;
  readonly numbers: InteractionMetrics;
  readonly entries: readonly EntrySummary[];
}

export interface EntrySummary {
  readonly origin: 'request' | 'response';
  readonly role: string;
  /** Roughly the UTF-16 units of text, tool calls and extras, to estimate the height. */
  readonly size: number;
  /** The names of the called tools. */
  readonly tools?: readonly string[];
  /** Of a message to an MCP server that is no step of the conversation. */
  readonly aside?: McpAside;
  /** The tool or the provider reported a failure. */
  readonly isError?: true;
  /** The response can be played back: see `playback.ts`. */
  readonly playable?: true;
}

const TITLE_LENGTH = 120;

export function summariseInteraction(
  interaction: Interaction,
  continuation: Continuation | undefined,
  shown: readonly ShownMessage[],
  numbers: InteractionMetrics,
): InteractionSummary {
  const { index, kind, api, request, response, http } = interaction;
  const model = response?.model ?? request?.model;
  const entries = shown.map((message) => entrySummary(interaction, message));
  return {
    index,
    kind,
    numbers,
    entries,
    ...(api === undefined ? {} : { api }),
    ...(model === undefined ? {} : { model }),
    ...(continuation === undefined ? {} : { conversation: continuation.conversation, relation: continuation.relation }),
    ...(continuation?.base === undefined ? {} : { base: continuation.base }),
    title: titleOf(interaction, continuation?.added ?? []),
    repeated: continuation?.repeated ?? 0,
    changes: continuation?.changes.length ?? 0,
    failed: response?.error !== undefined || (http?.status ?? 0) >= 400,
  };
}

function entrySummary(interaction: Interaction, { place, carriesOut }: ShownMessage): EntrySummary {
  const { request, response, kind } = interaction;
  const message = place === 'response' ? response : request?.messages[place];
  const role = place === 'response' ? responseRole(kind) : (request?.messages[place]?.role ?? '');
  const called = kind === 'mcp' ? request?.messages[0] : message;
  const tools = (called?.toolCalls ?? []).map(({ name }) => name);
  const failed = place === 'response' ? response?.error !== undefined : request?.messages[place]?.isError === true;
  return {
    origin: place === 'response' ? 'response' : 'request',
    role,
    size: (message?.content?.length ?? 0) + tools.length * 200 + (message?.parts?.length ?? 0) * 40,
    ...(tools.length === 0 ? {} : { tools }),
    ...asideOf(interaction, carriesOut),
    ...(failed ? { isError: true } : {}),
    ...(place === 'response' && isPlayable(interaction) ? { playable: true } : {}),
  };
}

function asideOf({ mcp, response }: Interaction, carriesOut: number | undefined): Pick<EntrySummary, 'aside'> {
  const aside = mcp === undefined || response?.error !== undefined ? undefined : mcpAside(mcp, carriesOut);
  return aside === undefined ? {} : { aside };
}

/** The last user message, or else the response. */
function titleOf(interaction: Interaction, added: readonly number[]): string {
  const { request, response, kind, summary } = interaction;
  if (kind === 'http') return oneLine(describeHttp(interaction));
  if (interaction.mcp !== undefined) return oneLine(describeMcp(interaction.mcp, response?.error));
  const messages = added.flatMap((place) => request?.messages[place] ?? []);
  const prompt = messages.findLast(({ role, content }) => role === 'user' && content)?.content;
  const calls = (response?.toolCalls ?? []).map(({ name }) => name).join(', ');
  return oneLine(prompt || response?.content || calls || response?.error || summary || lastText(messages));
}

function lastText(messages: readonly Message[]): string {
  return messages.findLast(({ content }) => content)?.content ?? '';
}

function oneLine(text: string): string {
  return text
    .slice(0, TITLE_LENGTH * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TITLE_LENGTH);
}
