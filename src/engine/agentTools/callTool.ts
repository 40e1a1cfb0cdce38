import type { AgentToolName } from '../../protocol/agentTools';
import { findAgentTool } from '../../protocol/agentTools';
import { UserError } from '../errors/userError';
import { confinedTo } from '../files/confinement';
import { explainCaseDrift, listCases, proposeAcceptance, readInteraction, replayCase } from './tools';

/** In characters. A longer result would fill the context of the model. */
const MAX_TEXT = 60_000;

type Handler = (input: ToolInput, root: string, signal: AbortSignal) => Promise<string>;

const HANDLERS: Readonly<Record<AgentToolName, Handler>> = {
  list_cases: (_, root) => listCases(root),
  replay_case: (input, root, signal) => replayCase(root, input.text('case'), signal),
  explain_drift: (input, root, signal) => explainCaseDrift(root, input.text('case'), signal),
  read_interaction: (input, root) => readInteraction(root, input.text('tape'), input.index('index')),
  propose_acceptance: (input, root) => proposeAcceptance(root, input.text('case'), input.text('reason')),
};

/**
 * Calls a tool for a coding agent; returns its result as text. Whatever the tool reads is in the project. Rejects with a `UserError` for what
 * the agent can fix.
 */
export async function callTool(name: string, input: unknown, root: string, signal: AbortSignal): Promise<string> {
  const tool = findAgentTool(name);
  if (tool === undefined) throw new UserError(`there is no tool ${name}`);
  const handle = HANDLERS[tool.name];
  const text = await confinedTo(root, () => handle(new ToolInput(name, input), root, signal));
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters omitted`;
}

/** The arguments of a call, unchecked, from a model. */
class ToolInput {
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(
    private readonly tool: string,
    input: unknown,
  ) {
    this.#members = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []);
  }

  text(name: string): string {
    const value = this.#members.get(name);
    if (typeof value === 'string' && value !== '') return value;
    throw new UserError(`${this.tool}: "${name}" must be a non-empty string`);
  }

  index(name: string): number {
    const value = this.#members.get(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new UserError(`${this.tool}: "${name}" must be a whole number of at least 0`);
  }
}
