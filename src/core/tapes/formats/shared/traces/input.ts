import { asRecord, isBlank, omitKeys } from '../../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
import { camelOrSnake } from '../../../../wire/gemini/parts';
import { textOf } from './messages';

/** The messages in what a tracing SDK calls an input. One of another shape is a text: JSON. */
export function inputMessages(input: Json | undefined): Json | undefined {
  if (!isRecord(input) || input.messages !== undefined || input.role !== undefined) return input;
  const { prompt, contents, input: items } = input;
  return prompt ?? withInstruction(contents, input) ?? items ?? textOf(omitKeys(input, 'tools'));
}

/** The contents of a request to Gemini, after the instruction, which SDKs have in a `config`. */
function withInstruction(contents: Json | undefined, input: JsonRecord): Json | undefined {
  const said = camelOrSnake(asRecord(input.config), 'systemInstruction') ?? camelOrSnake(input, 'systemInstruction');
  if (contents === undefined || isBlank(said) || said === undefined) return contents;
  const system = isRecord(said) ? { ...said, role: 'system' } : { role: 'system', content: said };
  return [system, ...(Array.isArray(contents) ? contents : [contents])];
}

/** The tools in what a tracing SDK calls an input; Gemini's stand in lists of their own. */
export function inputTools(input: Json | undefined): Json | undefined {
  const { tools, config } = asRecord(input);
  const offered = tools ?? asRecord(config).tools;
  return Array.isArray(offered) ? offered.flatMap(declaredFunctions) : offered;
}

function declaredFunctions(tool: Json): readonly Json[] {
  const declared = camelOrSnake(asRecord(tool), 'functionDeclarations');
  return Array.isArray(declared) ? declared : [tool];
}

/** What Langfuse's SDKs write for a limit that was not given. */
export function isUnlimited(value: Json): boolean {
  return typeof value === 'string' && /^inf(?:inity)?$/i.test(value);
}
