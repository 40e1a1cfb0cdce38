import type { Json } from '../../json/json';
import { type JsonNode, type JsonObjectNode, jsonValue, member } from '../../json/jsonDocument';
import { compactJson } from '../../wire/compactJson';
import { present } from '../../wire/fields';
import { ANYTHING, COUNT, isNull, LIST, NodeReader, RECORD, TEXT } from '../nodeReader';
import type { ChatRequest, ChatResponse, Interaction } from '../tape';

/** A scripted answer, and where its text stands. */
export interface ScriptedAnswer extends Pick<Interaction, 'kind' | 'request' | 'response' | 'summary'> {
  readonly node: JsonObjectNode;
  /** The member of `node` that holds the text; for an item of a list, the item is `answer`. */
  readonly key?: string;
  readonly answer?: JsonNode;
  readonly item?: true;
}

const PROMPT = 'Use `prompt_substring` with a part of the prompt that is answered.';

/** What MoFA's `ScenarioSpec` refuses becomes a problem. */
export class ScenarioReader extends NodeReader {
  scenario(root: JsonObjectNode): ScriptedAnswer[] {
    this.required(root, 'suite_name', TEXT, 'Use `suite_name` with the name of the suite.');
    for (const key of ['case_name', 'kind', 'target']) this.nullable(root, key, TEXT);
    const llm = this.nullable(root, 'llm', RECORD);
    const tools = this.records(root, 'tools', 'a tool');
    return [...(llm === undefined ? [] : this.#model(llm)), ...tools.flatMap((tool) => this.#tool(tool))];
  }

  #model(llm: JsonObjectNode): ScriptedAnswer[] {
    const model = this.nullable(llm, 'model_name', TEXT);
    const answers = [
      ...this.records(llm, 'responses', 'a response').map((node) => this.#response(node)),
      ...this.records(llm, 'response_sequences', 'a sequence of responses').flatMap((node) => this.#sequence(node)),
      ...this.#fallback(llm),
      ...this.records(llm, 'fail_on', 'a failure').map((node) => this.#failOn(node)),
      ...this.records(llm, 'fail_next', 'a failure').map((node) => this.#failNext(node)),
    ];
    if (model === undefined) return answers;
    return answers.map((answer) => (answer.request ? { ...answer, request: { ...answer.request, model } } : answer));
  }

  #response(node: JsonObjectNode): ScriptedAnswer {
    const prompt = this.required(node, 'prompt_substring', TEXT, PROMPT);
    const content = this.required(node, 'response', TEXT, 'Use `response` with the answer.') ?? null;
    return { kind: 'script', request: asked(prompt), response: said(content), node, key: 'response' };
  }

  #sequence(node: JsonObjectNode): ScriptedAnswer[] {
    const prompt = this.required(node, 'prompt_substring', TEXT, PROMPT);
    const items = this.required(node, 'responses', LIST, 'Use `responses` with the answers in their order.') ?? [];
    return items.map((answer, index) => {
      const content = this.expect(answer, TEXT, 'a response') ?? null;
      const summary = `answer ${index + 1} of ${items.length}`;
      return { kind: 'script', request: asked(prompt), response: said(content), summary, node, answer, item: true };
    });
  }

  #fallback(llm: JsonObjectNode): ScriptedAnswer[] {
    const content = this.nullable(llm, 'fallback', TEXT);
    const answer = member(llm, 'fallback');
    if (content === undefined || answer === undefined) return [];
    return [
      { kind: 'script', response: said(content), summary: 'any other prompt', node: llm, key: 'fallback', answer },
    ];
  }

  #failOn(node: JsonObjectNode): ScriptedAnswer {
    const prompt = this.required(node, 'prompt_substring', TEXT, PROMPT);
    return { kind: 'script', request: asked(prompt), response: this.#failure(node), node };
  }

  #failNext(node: JsonObjectNode): ScriptedAnswer {
    const count = this.optional(node, 'count', COUNT) ?? 1;
    return { kind: 'script', response: this.#failure(node), summary: `the next ${count}`, node };
  }

  #failure(node: JsonObjectNode): ChatResponse {
    const error = this.required(node, 'error', TEXT, 'Use `error` with what went wrong.') ?? 'failure';
    return { content: null, toolCalls: [], error };
  }

  #tool(node: JsonObjectNode): ScriptedAnswer[] {
    const name = this.required(node, 'name', TEXT, 'Use the name of the tool.') ?? '';
    const stubbed = this.nullable(node, 'stubbed_result', RECORD);
    const failures = this.records(node, 'fail_on_input', 'a failure');
    const sequence = this.records(node, 'result_sequence', 'a result');
    return [
      ...(stubbed === undefined ? [] : [this.#result(name, stubbed)]),
      ...sequence.map((result) => this.#result(name, result)),
      ...failures.map((failure): ScriptedAnswer => {
        const input = this.required(failure, 'input', ANYTHING, 'Use `input` with what the tool is called with.') ?? {};
        return { kind: 'tool', request: called(name, input), response: this.#failure(failure), node: failure };
      }),
    ];
  }

  #result(name: string, node: JsonObjectNode): ScriptedAnswer {
    const text = this.nullable(node, 'text', TEXT);
    const error = this.nullable(node, 'error', TEXT);
    const json = member(node, 'json');
    const other = json === undefined || isNull(json) ? null : compactJson(jsonValue(json));
    const response = present({ content: text ?? other, toolCalls: [], error });
    return { kind: 'tool', request: called(name, {}), response, node, ...(text === undefined ? {} : { key: 'text' }) };
  }
}

function said(content: string | null): ChatResponse {
  return { content, toolCalls: [] };
}

function asked(prompt: string | undefined): ChatRequest {
  return { messages: [{ role: 'user', content: prompt ?? null, toolCalls: [] }], tools: [], params: {} };
}

function called(name: string, input: Json): ChatRequest {
  const toolCalls = [{ id: '', name, arguments: input }];
  return { messages: [{ role: 'assistant', content: null, toolCalls }], tools: [], params: {} };
}
