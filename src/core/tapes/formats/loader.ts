import type { Json } from '../../json/json';
import { type JsonNode, jsonValue, member, readJson } from '../../json/jsonDocument';
import { hasTopLevelKeys } from '../../json/topLevelKeys';
import { compactJson } from '../../wire/compactJson';
import { present } from '../../wire/fields';
import { jsonWeight } from '../jsonWeight';
import { LazyInteraction, LazyTape, problemsIn } from '../lazyTape';
import { ANYTHING, FLAG, LIST, NodeReader, RECORD, TEXT } from '../nodeReader';
import type { ChatRequest, ChatResponse, Tape, ToolCall, Usage } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { ANSWERS, writing } from './holdings';
import { ifItFits } from './jsonHttpEdit';
import { editScenario } from './loaderEdit';
import { writeScenario } from './loaderWrite';

/**
 * Scripted scenarios of Loader (tenseleyFlow/loader, `tests/helpers/runtime_harness.py`), which has them as Python code
 * only. This is their file: two queues that are played in order, whole completions and streams of chunks, and whether the
 * backend has native tools.
 */
export const loaderFormat = {
  id: 'loader',
  label: 'Loader scripted scenario',
  syntax: 'json',
  looksLike,
  read,
  ...writing(ANSWERS, writeScenario),
  emptyItem: (file, interaction) => emptyAnswer(read(file).interactions[interaction]?.response?.chunks !== undefined),
  edit: (file, edit) => ifItFits(file, editScenario(file, edit)),
} satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  return hasTopLevelKeys(text, 'completions', 'streams') || hasTopLevelKeys(text, 'supports_native_tools', 'prompt');
}

function read({ text }: TapeFile): Tape {
  const { value: root, problems: syntax } = readJson(text);
  if (root === undefined) return { format: 'loader', interactions: [], problems: syntax };
  const reader = new ScenarioReader();
  const interactions = reader.scenario(root);
  const name = reader.nullable(root, 'name', TEXT);
  return new LazyTape({ format: 'loader', name, interactions, weight: jsonWeight(root) }, () =>
    syntax.length > 0 ? syntax : [...reader.problems, ...problemsIn(interactions)],
  );
}

class ScenarioReader extends NodeReader {
  scenario(root: JsonNode): LazyInteraction[] {
    const prompt = this.nullable(root, 'prompt', TEXT);
    const native = this.optional(root, 'supports_native_tools', FLAG) ?? true;
    const completions = this.records(root, 'completions', 'a completion');
    const streams = this.optional(root, 'streams', LIST) ?? [];
    const summary = native ? undefined : 'without native tools';
    return [...completions, ...streams].map((node, index) => {
      const isStream = index >= completions.length;
      const place = isStream ? index - completions.length : index;
      return new LazyInteraction(index, node, () => {
        const reader = new ScenarioReader();
        const content = present({
          kind: 'llm' as const,
          // Each queue begins with the prompt; what follows it only a run can tell.
          request: place === 0 && prompt !== undefined ? promptOf(prompt) : undefined,
          response: isStream ? reader.#stream(node) : reader.#completion(node),
          summary,
          id: `${isStream ? 'stream' : 'completion'} ${place + 1}`,
        });
        return { content, problems: reader.problems };
      });
    });
  }

  #completion(node: JsonNode): ChatResponse {
    const content = this.optional(node, 'content', TEXT) ?? '';
    return present({ content, toolCalls: this.#toolCalls(node), usage: this.#usage(node) });
  }

  #stream(node: JsonNode): ChatResponse {
    const chunks = (this.expect(node, LIST, 'a stream') ?? []).flatMap((chunk) => this.record(chunk, 'a chunk') ?? []);
    const pieces = chunks.map((chunk) => this.optional(chunk, 'content', TEXT) ?? '');
    const last = chunks.at(-1);
    const isDone = last !== undefined && this.optional(last, 'is_done', FLAG) === true;
    if (!isDone)
      this.report(last ?? node, 'the stream does not end', 'Set "is_done": true on its last chunk.', 'warning');
    const full = last === undefined ? '' : (this.optional(last, 'full_content', TEXT) ?? '');
    const content = full || pieces.join('');
    if (isDone && content !== pieces.join('')) {
      const at = member(last, 'full_content') ?? node;
      this.report(at, '`full_content` is not what the chunks say', 'Make them agree.', 'warning');
    }
    const toolCalls = chunks.flatMap((chunk) => this.#toolCalls(chunk));
    return { content, toolCalls, chunks: chunks.map((chunk) => ({ data: compactJson(jsonValue(chunk)) })) };
  }

  #toolCalls(node: JsonNode): ToolCall[] {
    return this.records(node, 'tool_calls', 'a tool call').map((call) => {
      const args = this.optional(call, 'arguments', ANYTHING);
      return {
        id: this.optional(call, 'id', TEXT) ?? '',
        name: this.required(call, 'name', TEXT, 'Use the name of the tool.') ?? '',
        arguments: args === undefined ? {} : args,
      };
    });
  }

  /** Counts under any names; those of OpenAI are understood. */
  #usage(node: JsonNode): Usage | undefined {
    const usage = this.nullable(node, 'usage', RECORD);
    const count = (key: string): number | undefined => {
      const found = member(usage, key);
      return found?.type === 'number' ? Number(found.lexeme) : undefined;
    };
    const prompt = count('prompt_tokens');
    const completion = count('completion_tokens');
    if (prompt === undefined && completion === undefined) return undefined;
    const [promptTokens, completionTokens] = [prompt ?? 0, completion ?? 0];
    return { promptTokens, completionTokens, totalTokens: count('total_tokens') ?? promptTokens + completionTokens };
  }
}

function promptOf(prompt: string): ChatRequest {
  return { messages: [{ role: 'user', content: prompt, toolCalls: [] }], tools: [], params: {} };
}

/** For either queue. */
function emptyAnswer(isStream: boolean): Json {
  return isStream ? [{ content: '', is_done: true, full_content: '' }] : { content: '', tool_calls: [], usage: {} };
}
