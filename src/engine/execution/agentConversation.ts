import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse, Message, ToolDefinition } from '../../core/model/message';

export interface SessionMessage {
  readonly role: string;
  readonly content: string;
}

/** The growing list of messages of one run. */
export class AgentConversation {
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

  /** The next request, with a copy of the messages: later ones must not reach a recording of it. */
  request(): ChatRequest {
    return { messages: [...this.#messages], tools: this.#tools, params: {} };
  }

  /**
   * Adds a response. Beside tool calls, no text and an empty text are stored the same: some tapes have only the empty one,
   * and a replay has to send the requests that were recorded.
   */
  addResponse({ content, toolCalls }: ChatResponse): void {
    this.#messages.push({
      role: 'assistant',
      content: content === '' && toolCalls.length > 0 ? null : content,
      toolCalls,
    });
  }

  /** Adds the next prompt of the user. */
  addPrompt(content: string): void {
    this.#messages.push({ role: 'user', content, toolCalls: [] });
  }

  addToolResult(toolCallId: string, content: string): void {
    this.#messages.push({ role: 'tool', content, toolCalls: [], toolCallId });
  }

  /** The messages without the system prompt. */
  session(): readonly SessionMessage[] {
    return this.#messages.slice(1).map(({ role, content }) => ({ role, content: content ?? '' }));
  }
}

/** MoFA's identity for cases that do not name their agent. A description counts only beside a name, as in MoFA. */
export const DEFAULT_AGENT_NAME = 'Agent';
const DEFAULT_DESCRIPTION = 'A helpful AI assistant';
const EMPTY_DESCRIPTION = 'a helpful AI assistant';

/**
 * The system prompt. Unlike MoFA's, it has neither the time nor the path of the temporary workspace, so that recording an
 * unchanged case again changes the tape only where the model responds differently. A case that needs a time pins one.
 */
export function systemPrompt({ agent, bootstrapFiles }: Case): string {
  if (agent.system !== undefined) return agent.system;
  const name = agent.name ?? DEFAULT_AGENT_NAME;
  const description = agent.name === undefined ? DEFAULT_DESCRIPTION : agent.description || EMPTY_DESCRIPTION;
  const identity = `# ${name}\n\nYou are ${name}, ${description}.\n\nAlways be helpful, accurate, and concise. When using tools, explain what you're doing.`;
  const prompt = agent.clock === undefined ? identity : `${identity}\n\n## Current Time\n${timeOf(agent.clock)}`;
  const files = bootstrapFiles.map(({ path, content }) => `## ${path}\n\n${content}`);
  return files.length === 0 ? prompt : `${prompt}\n\n---\n\n${files.join('\n\n')}`;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A time in MoFA's form, `2026-04-04 14:22 (Saturday)`; in UTC, so that it is the same everywhere. */
function timeOf(clock: string): string {
  const date = new Date(clock);
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} (${WEEKDAYS[date.getUTCDay()]})`;
}
