import { omitKeys } from '../json/fields';
import { type Json, jsonEqual } from '../json/json';
import { differingOrder } from '../json/memberOrder';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, Message, ToolDefinition } from '../model/message';
import type { Usage } from '../model/usage';
import { PROTOCOLS, protocolById } from '../wire/registry';

/**
 * The first part of a request that differs from the request before it. Models read tools, then the messages, of which the
 * instructions are the first: a provider reads from its cache what is before that part, and nothing after it.
 */
export interface PrefixBreak {
  readonly part: BrokenPart;
  /** The tokens of the earlier request from there on, which were not read from the cache. */
  readonly lostTokens: number;
}

export type BrokenPart =
  | { readonly type: 'model' }
  | { readonly type: 'tool'; readonly name: string }
  | { readonly type: 'parameter'; readonly name: string }
  /** A place in the messages of both requests. */
  | { readonly type: 'message'; readonly index: number };

/**
 * No provider caches a shorter prefix: OpenAI from 1024 tokens on by itself (developers.openai.com/api/docs/guides/prompt-caching),
 * Anthropic 1024 or more where a block has `cache_control` (platform.claude.com/docs/en/build-with-claude/prompt-caching),
 * Gemini 1024 or more (ai.google.dev/gemini-api/docs/caching).
 */
const SHORTEST_PREFIX = 1024;

/** They move with each request. */
const MARKERS = PROTOCOLS.flatMap(({ cache }) => cache?.markers ?? []);

/** Where a request of a conversation breaks the prefix that the one before it would have had in the cache. */
export function prefixBreak(before: Interaction, after: Interaction): PrefixBreak | undefined {
  const [old, now] = [before.request, after.request];
  if (old === undefined || now === undefined || !mayCache(before, after) || isCut(old) || isCut(now)) return undefined;
  const part = brokenPart(old, now, protocolById(after.api)?.cache?.parameters ?? []);
  if (part === undefined) return undefined;
  const lostTokens = Math.round(tokensOf(before) * lostShare(old, part));
  return lostTokens < SHORTEST_PREFIX ? undefined : { part, lostTokens };
}

/** The first parts that differ, in the order in which a model reads them. */
export function brokenPart(old: ChatRequest, now: ChatRequest, parameters: readonly string[]): BrokenPart | undefined {
  if (old.model !== now.model) return { type: 'model' };
  const tool = firstDifference(old.tools.map(sentTool), now.tools.map(sentTool), true);
  if (tool !== undefined) return { type: 'tool', name: (now.tools[tool] ?? old.tools[tool])?.name ?? '' };
  const parameter = parameters.find((name) => !isSame(old.params[name], now.params[name]));
  if (parameter !== undefined) return { type: 'parameter', name: parameter };
  const index = firstDifference(old.messages.map(sentMessage), now.messages.map(sentMessage), false);
  return index === undefined ? undefined : { type: 'message', index };
}

function firstDifference(old: readonly Json[], now: readonly Json[], isWhole: boolean): number | undefined {
  const length = isWhole ? Math.max(old.length, now.length) : Math.min(old.length, now.length);
  for (let index = 0; index < length; index += 1) if (!isSame(old[index], now[index])) return index;
  return undefined;
}

/** Whether both are sent as the same text: the order of members counts, since a cache knows a prefix by its tokens. */
function isSame(old: Json | undefined, now: Json | undefined): boolean {
  return old === undefined || now === undefined
    ? old === now
    : jsonEqual(old, now) && differingOrder(old, now) === undefined;
}

/** Without the marker of the end of the prefix. */
function sentTool({ name, description, schema, settings = {} }: ToolDefinition): Json {
  return [name, description ?? null, schema ?? null, omitKeys(settings, ...MARKERS)];
}

/** Without reasoning, which providers leave out of earlier turns. */
function sentMessage({ role, content, parts = [], toolCalls, toolCallId }: Message): Json {
  const sent = parts.filter(({ type }) => type !== 'reasoning').map((part): Json => ({ ...part }));
  const calls = toolCalls.map(
    ({ id, name, arguments: args, argumentsText }): Json => [id, name, argumentsText ?? args],
  );
  return [role, content, sent, calls, toolCallId ?? null];
}

/** Whether the protocol or the recording shows that the provider has a cache. */
function mayCache(before: Interaction, after: Interaction): boolean {
  if ([before, after].some(({ response }) => usesCache(response?.usage))) return true;
  return protocolById(after.api)?.cache?.isAutomatic === true;
}

function usesCache({ cachedTokens = 0, cacheWriteTokens = 0 }: Partial<Usage> = {}): boolean {
  return cachedTokens + cacheWriteTokens > 0;
}

/** Only a part of the request is on the tape. */
function isCut({ partial, digests }: ChatRequest): boolean {
  return partial !== undefined || digests !== undefined;
}

const CHARACTERS_OF_A_TOKEN = 4;

/** The tokens of a request: as counted, or roughly by its length. */
function tokensOf({ request, response }: Interaction): number {
  return response?.usage?.promptTokens ?? (request === undefined ? 0 : lengthOf(request) / CHARACTERS_OF_A_TOKEN);
}

/** How much of a request is at the broken part or after it. */
function lostShare(request: ChatRequest, part: BrokenPart): number {
  if (part.type === 'model') return 1;
  const all = lengthOf(request);
  const { tools, messages } = keptParts(request, part);
  return all === 0 ? 0 : 1 - lengthOf({ ...request, tools, messages }) / all;
}

function keptParts({ tools, messages }: ChatRequest, part: BrokenPart): Pick<ChatRequest, 'tools' | 'messages'> {
  if (part.type === 'message') return { tools, messages: messages.slice(0, part.index) };
  if (part.type !== 'tool') return { tools, messages: [] };
  const at = tools.findIndex(({ name }) => name === part.name);
  return { tools: at === -1 ? tools : tools.slice(0, at), messages: [] };
}

function lengthOf({ tools, messages }: ChatRequest): number {
  return lengthOfAll([...tools.map(sentTool), ...messages.map(sentMessage)]);
}

function lengthOfAll(values: readonly Json[]): number {
  return values.reduce<number>((sum, value) => sum + JSON.stringify(value, withoutMedia).length, 0);
}

/** The characters of an image say nothing of its tokens. */
function withoutMedia(name: string, value: unknown): unknown {
  return name === 'base64' ? '' : value;
}
