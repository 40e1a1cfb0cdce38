import { parseJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import type { Message } from '../model/message';
import { tomlTable, tomlText } from '../toml/writeToml';

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
    `name = ${tomlText(name)}\nprompt = ${tomlText(prompt)}`,
    ...(system ? [`[agent]\nsystem = ${tomlText(system)}`] : []),
    ...names.map((tool) => {
      const definition = request?.tools.find((one) => one.name === tool);
      const call = calls.find((one) => one.name === tool);
      const result = results.get(call?.id ?? '');
      return tomlTable('[[tools]]', {
        name: tool,
        description: definition?.description ?? '',
        schema: definition?.schema ?? {},
        result: result === undefined ? {} : (parseJson(result) ?? result),
      });
    }),
    ...calls.map((call) =>
      tomlTable('[[llm.steps]]', { type: 'tool_call', tool: call.name, arguments: call.arguments }),
    ),
    ...(response?.content ? [tomlTable('[[llm.steps]]', { type: 'text', content: response.content })] : []),
  ]
    .join('\n\n')
    .concat('\n');
}
