import { omitUndefined } from '../../../json/fields';
import { compactJson, type Json, prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ANY_JSON, ARRAY, BOOLEAN, NodeReader, OBJECT, STRING } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, ToolCall } from '../../../model/message';
import type { Usage } from '../../../model/usage';
import { t } from '../../../text/l10n';
import type { InteractionContent } from '../../lazyTape';
import { any } from '../../marks';
import type { TapeFile } from '../../tapeFile';
import { MODEL_RESPONSES, writeSubset } from '../../writableFormat';
import { type DocumentEntry, documentFormat } from '../shared/documentFormat';
import { refuseUnencodable } from '../shared/editHttpTape';
import { editScenario } from './edit';

/**
 * Scripted scenarios of Loader (tenseleyFlow/loader, `tests/helpers/runtime_harness.py`), which defines them only in
 * Python code. This is a file for them: two queues that are replayed in order, whole completions and streams of chunks,
 * and whether the backend has native tools.
 */
export const loaderFormat = documentFormat({
  id: 'loader',
  label: 'Loader scripted scenario',
  family: 'script',
  // A scenario without completions asks for nothing.
  isBeside: (name) => name === 'prompt',
  files: ['json'],
  syntax: 'json',
  marks: any(['completions', 'streams'], ['supports_native_tools', 'prompt']),
  reader: () => new ScenarioReader(),
  document: (reader, root) => ({ entries: reader.scenario(root), name: reader.nullable(root, 'name', STRING) }),
  ...writeSubset(MODEL_RESPONSES, writeScenario),
  emptyItem,
  editText: (file, edit) => refuseUnencodable(file, editScenario(file, edit)),
});

class ScenarioReader extends NodeReader {
  scenario(root: JsonNode): DocumentEntry<ScenarioReader>[] {
    const prompt = this.nullable(root, 'prompt', STRING);
    const native = this.optional(root, 'supports_native_tools', BOOLEAN) ?? true;
    const completions = this.records(root, 'completions', t('a completion'));
    const streams = this.optional(root, 'streams', ARRAY) ?? [];
    const summary = native ? undefined : 'without native tools';
    return [...completions, ...streams].map((node, index) => {
      const isStream = index >= completions.length;
      const place = isStream ? index - completions.length : index;
      const read = (reader: ScenarioReader): InteractionContent =>
        omitUndefined({
          kind: 'llm' as const,
          // Each queue begins with the prompt. Later messages are known only in a run.
          request: place === 0 && prompt !== undefined ? promptOf(prompt) : undefined,
          response: isStream ? reader.#stream(node) : reader.#completion(node),
          summary,
          id: `${isStream ? 'stream' : 'completion'} ${place + 1}`,
        });
      return { place: node, read };
    });
  }

  #completion(node: JsonNode): ChatResponse {
    const content = this.optional(node, 'content', STRING) ?? '';
    return omitUndefined({ content, toolCalls: this.#toolCalls(node), usage: this.#usage(node) });
  }

  #stream(node: JsonNode): ChatResponse {
    const chunks = (this.expect(node, ARRAY, t('a stream')) ?? []).flatMap(
      (chunk) => this.record(chunk, t('a chunk')) ?? [],
    );
    const pieces = chunks.map((chunk) => this.optional(chunk, 'content', STRING) ?? '');
    const last = chunks.at(-1);
    const isDone = last !== undefined && this.optional(last, 'is_done', BOOLEAN) === true;
    if (!isDone)
      this.report(last ?? node, t('the stream does not end'), t('Set "is_done": true on its last chunk.'), 'warning');
    const full = last === undefined ? '' : (this.optional(last, 'full_content', STRING) ?? '');
    const content = full || pieces.join('');
    if (isDone && content !== pieces.join('')) {
      const at = member(last, 'full_content') ?? node;
      this.report(at, t('`full_content` differs from the text of the chunks'), 'Make them equal.', 'warning');
    }
    const toolCalls = chunks.flatMap((chunk) => this.#toolCalls(chunk));
    return { content, toolCalls, chunks: chunks.map((chunk) => ({ data: compactJson(exactValue(chunk)) })) };
  }

  #toolCalls(node: JsonNode): ToolCall[] {
    return this.records(node, 'tool_calls', t('a tool call')).map((call) => {
      const args = this.optional(call, 'arguments', ANY_JSON);
      return {
        id: this.optional(call, 'id', STRING) ?? '',
        name: this.required(call, 'name', STRING, t('Use the name of the tool.')) ?? '',
        arguments: args === undefined ? {} : args,
      };
    });
  }

  /** Token counts under any of the usual names, such as those of OpenAI. */
  #usage(node: JsonNode): Usage | undefined {
    const usage = this.nullable(node, 'usage', OBJECT);
    const count = (key: string): number | undefined => {
      const found = member(usage, key);
      return found?.type === 'number' ? Number(found.lexeme) : undefined;
    };
    const prompt = count('prompt_tokens');
    const completion = count('completion_tokens');
    if (prompt === undefined && completion === undefined) return undefined;
    const promptTokens = prompt ?? 0;
    const completionTokens = completion ?? 0;
    return { promptTokens, completionTokens, totalTokens: count('total_tokens') ?? promptTokens + completionTokens };
  }
}

function promptOf(prompt: string): ChatRequest {
  return { messages: [{ role: 'user', content: prompt, toolCalls: [] }], tools: [], params: {} };
}

/** A response for the queue of an interaction. */
function emptyItem(file: TapeFile, interaction: number): Json {
  const isStream = loaderFormat.read(file).interactions[interaction]?.response?.chunks !== undefined;
  return isStream ? [{ content: '', is_done: true, full_content: '' }] : { content: '', tool_calls: [], usage: {} };
}

/** A scenario of whole completions. */
function writeScenario(name: string, interactions: readonly RecordedInteraction[]): string {
  const messages = interactions[0]?.request?.messages ?? [];
  const prompt = messages.findLast(({ role, content }) => role === 'user' && content !== null)?.content ?? '';
  return `${prettyJson({
    name,
    prompt,
    supports_native_tools: true,
    completions: interactions.map(({ response }) => writeCompletion(response)),
    streams: [],
  })}\n`;
}

function writeCompletion(response: ChatResponse | undefined): Json {
  const usage = response?.usage;
  return {
    content: response?.content ?? '',
    tool_calls: (response?.toolCalls ?? []).map(writeToolCall),
    usage: usage === undefined ? {} : { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
  };
}

function writeToolCall({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}
