import { asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import type { ToolDefinition } from '../../model/message';

/** Reads the tools of a request: functions, custom (free text) tools, and the provider's own. */
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

/** Chat Completions nests the function in a member of its own; Responses does not. */
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

/** Reads `functions`, the predecessor of tools. */
export function readLegacyFunctions(functions: Json | undefined): ToolDefinition[] {
  return asRecords(functions).map(functionTool);
}

/** The remaining members of a definition; undefined if there are none. */
export function otherSettings(rest: JsonRecord): JsonRecord | undefined {
  return isBlank(rest) ? undefined : rest;
}
