import { omitUndefined } from '../../../json/fields';
import type { Json } from '../../../json/json';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { ANY_JSON, ARRAY, isNull, NodeReader, OBJECT, STRING, UINT32 } from '../../../json/nodeReader';
import { exactText, member } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../../model/message';
import { message, t } from '../../../text/l10n';

/** The content of a scripted response. */
type ScriptedContent = Pick<Interaction, 'kind' | 'request' | 'response' | 'summary'>;

/** A scripted response: its nodes in the file, and a function that reads it on demand. */
export interface ScriptedResponse {
  readonly node: JsonObjectNode;
  /** The member of `node` that holds the text; for an item of a list, the item is `response`. */
  readonly key?: string;
  readonly response?: JsonNode;
  readonly item?: true;
  read(reader: ScenarioReader): ScriptedContent;
}

const FIX_PROMPT = message('Use `prompt_substring` with a part of the prompt to respond to.');

/** Reports everything that MoFA's `ScenarioSpec` refuses as a problem. */
export class ScenarioReader extends NodeReader {
  scenario(root: JsonObjectNode): ScriptedResponse[] {
    this.required(root, 'suite_name', STRING, t('Use `suite_name` with the name of the suite.'));
    for (const key of ['case_name', 'kind', 'target']) this.nullable(root, key, STRING);
    const llm = this.nullable(root, 'llm', OBJECT);
    const tools = this.records(root, 'tools', t('a tool'));
    return [...(llm === undefined ? [] : this.#model(llm)), ...tools.flatMap((tool) => this.#tool(tool))];
  }

  #model(llm: JsonObjectNode): ScriptedResponse[] {
    const model = this.nullable(llm, 'model_name', STRING);
    return [
      ...this.records(llm, 'responses', t('a response')).map((node) => responseOf(node, model)),
      ...this.records(llm, 'response_sequences', t('a sequence of responses')).flatMap((node) =>
        this.#sequence(node, model),
      ),
      ...this.#fallback(llm),
      ...this.records(llm, 'fail_on', t('a failure')).map((node) => failOn(node, model)),
      ...this.records(llm, 'fail_next', t('a failure')).map(failNext),
    ];
  }

  #sequence(node: JsonObjectNode, model: string | undefined): ScriptedResponse[] {
    const items = this.required(node, 'responses', ARRAY, t('Use `responses` with the responses in order.')) ?? [];
    const responses = items.map((response, index): ScriptedResponse => {
      const summary = `response ${index + 1} of ${items.length}`;
      return { node, response, item: true, read: (reader) => reader.step(node, index, model, summary) };
    });
    if (items.length === 0) this.prompt(node);
    return responses;
  }

  #fallback(llm: JsonObjectNode): ScriptedResponse[] {
    const content = this.nullable(llm, 'fallback', STRING);
    const response = member(llm, 'fallback');
    if (content === undefined || response === undefined) return [];
    const read = (): ScriptedContent => ({
      kind: 'script',
      response: textResponse(content),
      summary: 'any other prompt',
    });
    return [{ node: llm, key: 'fallback', response, read }];
  }

  #tool(node: JsonObjectNode): ScriptedResponse[] {
    const name = this.required(node, 'name', STRING, t('Use the name of the tool.')) ?? '';
    const stubbed = this.nullable(node, 'stubbed_result', OBJECT);
    const failures = this.records(node, 'fail_on_input', t('a failure'));
    const sequence = this.records(node, 'result_sequence', t('a result'));
    return [
      ...(stubbed === undefined ? [] : [resultOf(name, stubbed)]),
      ...sequence.map((result) => resultOf(name, result)),
      ...failures.map(
        (failure): ScriptedResponse => ({
          node: failure,
          read: (reader) => reader.failedCall(name, failure),
        }),
      ),
    ];
  }

  prompt(node: JsonObjectNode): string | undefined {
    return this.required(node, 'prompt_substring', STRING, t(FIX_PROMPT));
  }

  response(node: JsonObjectNode, model: string | undefined): ScriptedContent {
    const prompt = this.prompt(node);
    const content = this.required(node, 'response', STRING, t('Use `response` with the text of the response.')) ?? null;
    return { kind: 'script', request: promptRequest(prompt, model), response: textResponse(content) };
  }

  step(node: JsonObjectNode, index: number, model: string | undefined, summary: string): ScriptedContent {
    // A missing prompt is reported only once, for the first response.
    const prompt = index === 0 ? this.prompt(node) : textIn(node, 'prompt_substring');
    const response = ARRAY.read(member(node, 'responses') ?? node)?.[index];
    const content = (response && this.expect(response, STRING, t('a response'))) ?? null;
    return { kind: 'script', request: promptRequest(prompt, model), response: textResponse(content), summary };
  }

  failure(node: JsonObjectNode): ChatResponse {
    const error = this.required(node, 'error', STRING, t('Use `error` with what went wrong.')) ?? 'failure';
    return { content: null, toolCalls: [], error };
  }

  failedPrompt(node: JsonObjectNode, model: string | undefined): ScriptedContent {
    return { kind: 'script', request: promptRequest(this.prompt(node), model), response: this.failure(node) };
  }

  nextFailures(node: JsonObjectNode): ScriptedContent {
    const count = this.optional(node, 'count', UINT32) ?? 1;
    return { kind: 'script', response: this.failure(node), summary: `the next ${count}` };
  }

  failedCall(name: string, node: JsonObjectNode): ScriptedContent {
    const input = this.required(node, 'input', ANY_JSON, t('Use `input` with what the tool is called with.')) ?? {};
    return { kind: 'tool', request: toolRequest(name, input), response: this.failure(node) };
  }

  result(name: string, node: JsonObjectNode): ScriptedContent {
    const text = this.nullable(node, 'text', STRING);
    const error = this.nullable(node, 'error', STRING);
    const json = member(node, 'json');
    const other = json === undefined || isNull(json) ? null : exactText(json);
    const isJson = text === undefined && other !== null ? (true as const) : undefined;
    return {
      kind: 'tool',
      request: toolRequest(name, {}),
      response: omitUndefined({ content: text ?? other, isJson, toolCalls: [], error }),
    };
  }
}

function textIn(node: JsonObjectNode, key: string): string | undefined {
  const found = member(node, key);
  return found?.type === 'string' ? found.value : undefined;
}

function responseOf(node: JsonObjectNode, model: string | undefined): ScriptedResponse {
  return { node, key: 'response', read: (reader) => reader.response(node, model) };
}

function failOn(node: JsonObjectNode, model: string | undefined): ScriptedResponse {
  return { node, read: (reader) => reader.failedPrompt(node, model) };
}

function failNext(node: JsonObjectNode): ScriptedResponse {
  return { node, read: (reader) => reader.nextFailures(node) };
}

function resultOf(name: string, node: JsonObjectNode): ScriptedResponse {
  const hasText = member(node, 'text')?.type === 'string';
  return { node, ...(hasText ? { key: 'text' } : {}), read: (reader) => reader.result(name, node) };
}

function textResponse(content: string | null): ChatResponse {
  return { content, toolCalls: [] };
}

function promptRequest(prompt: string | undefined, model: string | undefined): ChatRequest {
  const messages = [{ role: 'user', content: prompt ?? null, toolCalls: [] }];
  return { model, messages, tools: [], params: {} };
}

function toolRequest(name: string, input: Json): ChatRequest {
  const toolCalls = [{ id: '', name, arguments: input }];
  return { messages: [{ role: 'assistant', content: null, toolCalls }], tools: [], params: {} };
}
