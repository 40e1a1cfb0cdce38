import { type Json, prettyJson } from '../../../json/json';
import { parseExactJson } from '../../../json/readJson';
import { rememberText } from '../../../json/writtenNumbers';
import type { RecordedInteraction } from '../../../model/interaction';
import { message } from '../../../text/l10n';
import { writeYaml } from '../../../yaml/writeYaml';
import type { Destination, WritableSubset } from '../../format';
import { isModelResponse } from '../../writableFormat';
import { type Dialects, writeDocument } from '../shared/writeDocument';

export const WRITABLE_STEPS: WritableSubset = {
  description: message('responses of a model and results of tools'),
  select(interactions) {
    const { byPrompt, failed, byTool } = scriptOf(interactions);
    return [...[...byPrompt.values()].flat(), ...failed, ...[...byTool.values()].flat()];
  },
};

interface Script<T> {
  readonly byPrompt: ReadonlyMap<string, readonly T[]>;
  readonly failed: readonly T[];
  readonly byTool: ReadonlyMap<string, readonly T[]>;
}

function scriptOf<T extends RecordedInteraction>(interactions: readonly T[]): Script<T> {
  const withResponse = interactions.filter((one) => isModelResponse(one) && one.response !== undefined);
  const hasFailed = ({ response }: T): boolean => response?.error !== undefined;
  return {
    byPrompt: groupBy(
      withResponse.filter((one) => !hasFailed(one)),
      promptOf,
    ),
    failed: withResponse.filter(hasFailed),
    byTool: groupBy(
      interactions.filter(({ kind }) => kind === 'tool'),
      toolOf,
    ),
  };
}

/**
 * A scenario with the recorded responses: each prompt is matched as a whole, and a prompt that occurred several
 * times gets its responses in order. The format has no place for tool calls of the model, but for results of tools.
 */
export function writeMofaScenario(
  name: string,
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const { byPrompt, failed, byTool } = scriptOf(interactions);
  const models = interactions.filter(isModelResponse).map(({ request }) => request?.model);
  const isPlain = [...byPrompt.values()].every((recorded) => recorded.length === 1);
  const scripted = [...byPrompt].map(([prompt, recorded]): Json => {
    const texts = recorded.map(({ response }) => response?.content ?? '');
    return isPlain
      ? { prompt_substring: prompt, response: texts[0] ?? '' }
      : { prompt_substring: prompt, responses: texts };
  });
  const document = {
    suite_name: name,
    case_name: name,
    llm: {
      model_name: new Set(models).size === 1 ? models[0] : undefined,
      [isPlain ? 'responses' : 'response_sequences']: scripted,
      fail_on: failed.map((one) => ({ prompt_substring: promptOf(one), error: one.response?.error ?? '' })),
    },
    tools: [...byTool].map(([tool, results]) => ({
      name: tool,
      description: '',
      schema: {},
      result_sequence: results.map(resultOf),
    })),
  };
  return writeDocument(document, into, DIALECTS);
}

const DIALECTS: Dialects = {
  recorded: ['json', 'yaml'],
  json: (scenario) => `${prettyJson(scenario)}\n`,
  yaml: (scenario) => writeYaml(scenario, { binaryColumns: 76, binaryTag: '!!binary |', blocks: true }),
};

function promptOf({ request }: RecordedInteraction): string {
  return request?.messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function toolOf({ request }: RecordedInteraction): string {
  return request?.messages.flatMap(({ toolCalls }) => toolCalls)[0]?.name ?? '';
}

function resultOf({ response }: RecordedInteraction): Json {
  const { content = null, isJson, error } = response ?? {};
  if (error !== undefined) return { error };
  const json = isJson && content !== null ? parseExactJson(content) : undefined;
  if (json === undefined) return { text: content ?? '' };
  const result = { json };
  rememberText(result, 'json', content);
  return result;
}

/** Groups items by a key, in the order in which the keys first occur. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}
