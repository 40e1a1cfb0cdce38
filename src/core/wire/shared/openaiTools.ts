import { asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { ToolDefinition } from '../../model/message';

/** The tools of a request: functions, tools of free text, and what the provider brings along. */
export function readOpenaiTools(tools: Json | undefined): ToolDefinition[] {
  return asRecords(tools).map(readOpenaiTool);
}

function readOpenaiTool(tool: JsonRecord): ToolDefinition {
  if (tool.type === 'function' || 'function' in tool) return functionTool(tool);
  const custom = asRecord(tool.custom);
  return omitUndefined({
    name: asString(tool.name) ?? asString(custom.name) ?? asString(tool.server_label) ?? asString(tool.type) ?? '',
    description: asString(tool.description) ?? asString(custom.description),
    settings: otherSettings(omitKeys(tool, 'name', 'description')),
  });
}

/** Chat Completions put the function into a member of its own, Responses do not. */
function functionTool(tool: JsonRecord): ToolDefinition {
  const definition = 'function' in tool ? asRecord(tool.function) : tool;
  const rest = {
    ...omitKeys(tool, 'type', 'function', 'name', 'description', 'parameters'),
    ...omitKeys(definition, 'type', 'name', 'description', 'parameters'),
  };
  return omitUndefined({
    name: asString(definition.name) ?? '',
    description: asString(definition.description),
    schema: definition.parameters,
    settings: otherSettings(rest),
  });
}

/** The functions of the first function calling: `functions`, before there were tools. */
export function readLegacyFunctions(functions: Json | undefined): ToolDefinition[] {
  return asRecords(functions).map(functionTool);
}

/** What is left of a definition; undefined where nothing is. */
export function otherSettings(rest: JsonRecord): JsonRecord | undefined {
  return isBlank(rest) ? undefined : rest;
}
