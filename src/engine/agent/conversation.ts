import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse, Message, ToolDefinition } from '../../core/model/message';
import { systemPrompt } from './systemPrompt';

export interface SessionMessage {
  readonly role: string;
  readonly content: string;
}

/** The messages of one run, as they grow. */
export class Conversation {
  readonly #messages: Message[];
  readonly #tools: readonly ToolDefinition[];

  constructor(testCase: Case) {
    this.#messages = [
      { role: 'system', content: systemPrompt(testCase), toolCalls: [] },
      ...(testCase.context ?? []),
      { role: 'user', content: testCase.prompt, toolCalls: [] },
    ];
    this.#tools = testCase.tools.map(({ name, description, schema }) => ({ name, description, schema }));
  }

  /** The next request. Its messages are its own: what is said later does not reach a recording of it. */
  request(): ChatRequest {
    return { messages: [...this.#messages], tools: this.#tools, params: {} };
  }

  /**
   * Beside tool calls, no text and an empty text are the same. A tape has only the empty one, and a replay has to send
   * the requests that were recorded.
   */
  addAnswer({ content, toolCalls }: ChatResponse): void {
    this.#messages.push({
      role: 'assistant',
      content: content === '' && toolCalls.length > 0 ? null : content,
      toolCalls,
    });
  }

  /** The user goes on. */
  addPrompt(content: string): void {
    this.#messages.push({ role: 'user', content, toolCalls: [] });
  }

  addToolResult(toolCallId: string, content: string): void {
    this.#messages.push({ role: 'tool', content, toolCalls: [], toolCallId });
  }

  /** What was said by and to the user and the tools, without the system prompt. */
  session(): readonly SessionMessage[] {
    return this.#messages.slice(1).map(({ role, content }) => ({ role, content: content ?? '' }));
  }
}
