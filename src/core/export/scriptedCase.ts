import { isRecord, type Json } from '../json/json';
import { parseJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import type { Message } from '../model/message';

/**
 * An interaction as a scripted case: the user's prompt, the tools with their results, and the responses of the model as
 * scripted steps.
 */
export function interactionToCase(name: string, { request, response }: Interaction, later: readonly Message[]): string {
  const messages = request?.messages ?? [];
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')?.content;
  const calls = response?.toolCalls ?? [];
  const results = new Map(later.map(({ toolCallId, content }) => [toolCallId ?? '', content ?? '']));
  const names = [...new Set(calls.map((call) => call.name))];
  return [
    `name = ${text(name)}\nprompt = ${text(prompt)}`,
    ...(system ? [`[agent]\nsystem = ${text(system)}`] : []),
    ...names.map((tool) => {
      const definition = request?.tools.find((one) => one.name === tool);
      const call = calls.find((one) => one.name === tool);
      const result = results.get(call?.id ?? '');
      return table('[[tools]]', {
        name: tool,
        description: definition?.description ?? '',
        schema: definition?.schema ?? {},
        result: result === undefined ? {} : (parseJson(result) ?? result),
      });
    }),
    ...calls.map((call) => table('[[llm.steps]]', { type: 'tool_call', tool: call.name, arguments: call.arguments })),
    ...(response?.content ? [table('[[llm.steps]]', { type: 'text', content: response.content })] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

function table(header: string, members: Readonly<Record<string, Json>>): string {
  return [header, ...Object.entries(members).map(([key, value]) => `${key} = ${written(value)}`)].join('\n');
}

/** Writes a TOML value. TOML has no null: null members are left out, and null items become empty strings. */
function written(value: Json): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => written(item ?? '')).join(', ')}]`;
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    if (members.length === 0) return '{}';
    return `{ ${members.map(([key, member]) => `${name(key)} = ${written(member)}`).join(', ')} }`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return '0';
  return value === null ? '""' : String(value);
}

function name(key: string): string {
  return /^[\w-]+$/.test(key) ? key : text(key);
}

/** A multi-line string for a text of several lines, unless it contains characters that would need escapes. */
function text(value: string): string {
  const token = JSON.stringify(value).replace(/[\x7f\p{Surrogate}]/gu, escaped);
  if (!value.includes('\n') || value.includes('"""') || /[\\"\r]|[^\P{Cc}\n\t]|\p{Surrogate}/u.test(value))
    return token;
  return `"""\n${value}"""`;
}

function escaped(char: string): string {
  return char === '\x7f' ? '\\u007f' : '\\ufffd';
}
