import type { Json, JsonRecord } from '../json/json';
import type { ToolDefinition } from '../tapes/tape';
import { isBlank, present, recordOf, recordsOf, textOf, without } from './fields';

/** The tools of a request: functions, tools of free text, and what the provider brings along. */
export function openaiTools(tools: Json | undefined): ToolDefinition[] {
  return recordsOf(tools).map(openaiTool);
}

function openaiTool(tool: JsonRecord): ToolDefinition {
  if (tool.type === 'function' || 'function' in tool) return functionTool(tool);
  const custom = recordOf(tool.custom);
  return present({
    name: textOf(tool.name) ?? textOf(custom.name) ?? textOf(tool.server_label) ?? textOf(tool.type) ?? '',
    description: textOf(tool.description) ?? textOf(custom.description),
    settings: settingsOf(without(tool, 'name', 'description')),
  });
}

/** Chat Completions put the function into a member of its own, Responses do not. */
function functionTool(tool: JsonRecord): ToolDefinition {
  const definition = 'function' in tool ? recordOf(tool.function) : tool;
  const rest = {
    ...without(tool, 'type', 'function', 'name', 'description', 'parameters'),
    ...without(definition, 'type', 'name', 'description', 'parameters'),
  };
  return present({
    name: textOf(definition.name) ?? '',
    description: textOf(definition.description),
    schema: definition.parameters,
    settings: settingsOf(rest),
  });
}

/** The functions of the first function calling: `functions`, before there were tools. */
export function legacyFunctions(functions: Json | undefined): ToolDefinition[] {
  return recordsOf(functions).map(functionTool);
}

/** What is left of a definition; undefined where nothing is. */
export function settingsOf(rest: JsonRecord): JsonRecord | undefined {
  return isBlank(rest) ? undefined : rest;
}
