import type { Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Interaction } from '../../model/interaction';

/** What the agent was given when a tape was recorded, as far as a case can say it. */
export interface TapedPrompt {
  readonly prompt: string;
  readonly system?: string;
  readonly tools: readonly TapedTool[];
}

export interface TapedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** The first result on the tape, or an empty object if there is none. Absent if the results depend on the arguments. */
  readonly result?: Json;
}

/** Reads it from the first model call of a tape; undefined when that has no prompt. */
export function tapedPrompt(interactions: readonly Interaction[]): TapedPrompt | undefined {
  const requests = interactions.flatMap(({ request }) => (request === undefined ? [] : [request]));
  const [first] = requests.filter(({ messages }) => messages.some(({ role }) => role === 'user'));
  const prompt = first?.messages.findLast(({ role }) => role === 'user')?.content;
  if (first === undefined || !prompt) return undefined;
  const system = first.messages.find(({ role }) => role === 'system' || role === 'developer')?.content;
  const calls = interactions.flatMap(({ response }) => response?.toolCalls ?? []);
  const messages = requests.flatMap((request) => request.messages);
  const resultOf = (name: string): Json => {
    const ids = new Set(calls.filter((call) => call.name === name).map(({ id }) => id));
    const content = messages.find(({ toolCallId }) => toolCallId !== undefined && ids.has(toolCallId))?.content;
    return content ? (parseJson(content) ?? content) : {};
  };
  const tools = first.tools.map(({ name, description, schema }) => ({
    name,
    description: description ?? '',
    schema: schema ?? {},
    result: resultOf(name),
  }));
  return { prompt, ...(system && { system }), tools };
}
