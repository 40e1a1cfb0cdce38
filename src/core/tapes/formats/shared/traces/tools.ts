import { asList, asRecord, asString, omitUndefined } from '../../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
import { parseExactJson } from '../../../../json/readJson';
import type { ToolDefinition } from '../../../../model/message';
import { readOpenaiTools } from '../../../../wire/shared/openaiTools';

/** The tools in the parameters of Pydantic AI: those that the model may call, and those by which it answers. */
export function offeredTools(parameters: Json | undefined): Json[] | undefined {
  const { function_tools: called, output_tools: answering } = asRecord(parameters);
  return called === undefined ? undefined : [...asList(called), ...asList(answering)];
}

/** Reads definitions of tools as SDKs write them into traces: a list, or an object by name. */
export function readTraceTools(tools: Json | undefined): ToolDefinition[] {
  if (Array.isArray(tools)) return tools.flatMap((tool) => readTool(tool));
  const known = Object.entries(asRecord(tools));
  return known.flatMap(([name, tool]) => readTool(tool).map((read) => ({ ...read, name: read.name || name })));
}

/** The AI SDK writes each tool as a text of JSON, and OpenInference the definition as one in `tool.json_schema`. */
function readTool(tool: Json): ToolDefinition[] {
  const parsed = typeof tool === 'string' ? parseExactJson(tool) : tool;
  if (!isRecord(parsed)) return typeof tool === 'string' && tool !== '' ? [{ name: tool }] : [];
  const nested = parsed.tool ?? parsed.json_schema;
  if (nested !== undefined && parsed.name === undefined) return readTool(nested);
  if (isRecord(parsed.function)) return readOpenaiTools([parsed]);
  return Object.keys(parsed).length === 0 ? [] : [readPlainTool(parsed)];
}

function readPlainTool(tool: JsonRecord): ToolDefinition {
  const schema =
    tool.parameters ?? tool.parameters_json_schema ?? tool.inputSchema ?? tool.input_schema ?? tool.schema ?? tool.args;
  return omitUndefined({
    name: asString(tool.name) ?? '',
    description: asString(tool.description) || undefined,
    schema: typeof schema === 'string' ? (parseExactJson(schema) ?? schema) : schema,
  });
}
