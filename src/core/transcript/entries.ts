import { formatJson } from '../json/formatJson';
import { isRecord, type Json, prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { McpExchange } from '../model/mcp';
import type { Message, Part, ToolCall } from '../model/message';
import { t } from '../text/l10n';
import type { MessagePlace } from './conversations/silentChange';
import type { InteractionAt } from './describeSilentChange';
import { describeMcp } from './mcpDetails';
import { describeHttp, messageExtras } from './messageExtras';
import type { ShownMessage } from './pendingToolCalls';
import { toolView } from './tools/knownTools';
import type { TranscriptEntry, TranscriptToolCall } from './transcript';

/** A message of an interaction in full, with the results of its tool calls. */
export function transcriptEntry(interaction: Interaction, shown: ShownMessage, at: InteractionAt): TranscriptEntry {
  const { place } = shown;
  if (interaction.mcp !== undefined) return mcpEntry(interaction, interaction.mcp, shown);
  if (place === 'response') return responseEntry(interaction, shown, at);
  const message = interaction.request?.messages[place] ?? { role: '', content: null, toolCalls: [] };
  return {
    interaction: interaction.index,
    origin: 'request',
    role: message.role,
    text: message.content ?? '',
    toolCalls: callEntries(message.toolCalls, shown, at),
    ...withExtras(message.parts),
    ...(message.isError === true ? { error: t('The tool failed.') } : {}),
  };
}

function responseEntry(interaction: Interaction, shown: ShownMessage, at: InteractionAt): TranscriptEntry {
  const { index, kind, request, response } = interaction;
  const entry = { interaction: index, origin: 'response', toolCalls: [] } as const;
  if (kind === 'http') return { ...entry, role: 'http', text: describeHttp(interaction) };
  if (kind === 'environment') return { ...entry, role: kind, text: interaction.summary ?? '' };
  if (response === undefined) return { ...entry, role: 'assistant', text: '', missing: true };
  const model = response.model ?? request?.model;
  return {
    ...entry,
    role: 'assistant',
    text: response.content ?? '',
    toolCalls: callEntries(response.toolCalls, shown, at),
    ...withExtras(contentParts(response.parts, request?.params.audio)),
    ...(model === undefined ? {} : { model }),
    ...(response.usage === undefined ? {} : { usage: response.usage }),
    ...(response.error === undefined ? {} : { error: response.error }),
  };
}

/** The audio format of a spoken response is in the request. */
function contentParts(parts: readonly Part[] | undefined, audio: Json | undefined): readonly Part[] | undefined {
  if (!isRecord(audio) || audio.format !== 'pcm16') return parts;
  return parts?.map((part) =>
    part.type === 'audio' && part.mime === 'audio/*' ? { ...part, mime: 'audio/pcm' } : part,
  );
}

function withExtras(parts: readonly Part[] | undefined): Pick<TranscriptEntry, 'extras'> {
  const extras = messageExtras(parts);
  return extras.length === 0 ? {} : { extras };
}

function callEntries(
  calls: readonly ToolCall[],
  { results, servers }: Pick<ShownMessage, 'results' | 'servers'>,
  at: InteractionAt,
): readonly TranscriptToolCall[] {
  return calls.map(({ id, name, arguments: args }, call) => {
    const exchange = servers[call];
    const carriedOut = exchange === undefined ? undefined : at(exchange);
    const result = resultAt(results[call], at) ?? (carriedOut && resultOf(carriedOut));
    const text = argumentsText(args);
    const view = toolView(name, args, text);
    return {
      id,
      name,
      arguments: text,
      ...(view === undefined ? {} : { view }),
      ...(result === undefined ? {} : { result: resultText(result) }),
      ...(result?.isError === true ? { isError: true } : {}),
      ...(carriedOut?.mcp === undefined ? {} : { server: carriedOut.mcp.server, serverInteraction: carriedOut.index }),
    };
  });
}

/** An exchange with an MCP server: a call of a tool with its result, or what was asked, in a line. */
function mcpEntry(interaction: Interaction, mcp: McpExchange, { carriesOut }: ShownMessage): TranscriptEntry {
  const { index, request, response, timing } = interaction;
  const entry = { interaction: index, origin: 'response', role: 'mcp', toolCalls: [] } as const;
  const text = describeMcp(mcp, response?.error);
  if (carriesOut !== undefined) return { ...entry, text: t('{0}, called in interaction {1}', text, carriesOut + 1) };
  const calls = callEntries(request?.messages[0]?.toolCalls ?? [], { results: [], servers: [] }, () => undefined);
  const result = resultOf(interaction);
  const shown = result && { result: resultText(result), ...(result.isError === true ? { isError: true } : {}) };
  const error = calls.length === 0 ? response?.error : undefined;
  return {
    ...entry,
    text,
    toolCalls: calls.map((call) => ({ ...call, ...shown })),
    ...(error === undefined ? {} : { error }),
    ...(mcp.steps.length === 0 && timing === undefined ? { missing: true } : {}),
  };
}

/** The reply of a tool, or of an MCP server, as the result of a call. */
function resultOf({ response }: Interaction): Message | undefined {
  if (response === undefined) return undefined;
  const { content, parts, error } = response;
  const message = { role: 'tool', content: content ?? error ?? null, toolCalls: [], isError: error !== undefined };
  return parts === undefined ? message : { ...message, parts };
}

function resultAt(place: MessagePlace | undefined, at: InteractionAt): Message | undefined {
  if (place === undefined || place.message === 'response') return undefined;
  return at(place.interaction)?.request?.messages[place.message];
}

/** Longer JSON is shown as it was recorded. */
const MAX_FORMATTED = 1_000_000;

/** The text of a tool's result, formatted if it is JSON, with a description of its other parts. */
function resultText({ content, parts }: Message): string {
  const extras = messageExtras(parts).map(({ label, text }) => t('{0}: {1}', label, text));
  const text = content ?? '';
  const formatted = text.length > MAX_FORMATTED ? undefined : formatJson(text);
  return [...(text === '' ? [] : [formatted ?? text]), ...extras].join('\n\n');
}

function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : prettyJson(args);
}
