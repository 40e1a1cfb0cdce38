import type { AgentToolName } from '../../contracts/agentToolNames';
import { findAgentTool } from '../../contracts/agentTools';
import { UserError } from '../errors/userError';
import { confinedTo } from '../files/confinement';
import { createRecorders, type Recorders } from '../recording/openRecorder';
import type { Recorder } from '../recording/recorder';
import { explainCaseDrift, listCases, proposeAcceptance, readInteraction, replayCase } from './tools';

/** In characters. A longer result would fill the context of the model. */
const MAX_TEXT = 60_000;

type Handler = (input: ToolInput, root: string, recorder: Recorder, signal: AbortSignal) => Promise<string>;

const HANDLERS: Readonly<Record<AgentToolName, Handler>> = {
  list_cases: (input, root, recorder) => listCases(root, recorder, input.index('from', 0)),
  replay_case: (input, root, recorder, signal) => replayCase(root, input.text('case'), recorder, signal),
  explain_drift: (input, root, recorder, signal) => explainCaseDrift(root, input.text('case'), recorder, signal),
  read_interaction: (input, root, recorder) =>
    readInteraction(root, input.text('tape'), input.index('index'), recorder),
  propose_acceptance: (input, root, recorder) =>
    proposeAcceptance(root, input.text('case'), input.text('reason'), recorder),
};

/**
 * Calls a tool for a coding agent; returns its result as text, without secrets: a model may repeat what it is told. Whatever
 * the tool reads is in the project. Rejects with a `UserError` for what the agent can fix.
 */
export async function callTool(
  name: string,
  input: unknown,
  root: string,
  signal: AbortSignal,
  recorders: Recorders = createRecorders(process.env),
): Promise<string> {
  const tool = findAgentTool(name);
  if (tool === undefined) throw new UserError(`there is no tool ${name}`);
  const handle = HANDLERS[tool.name];
  const recorder = await recorders(root);
  const call = () => confinedTo(root, () => handle(new ToolInput(name, input), root, recorder, signal));
  const text = recorder.text(await hidden(call, recorder));
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n… ${text.length - MAX_TEXT} more characters omitted`;
}

async function hidden(call: () => Promise<string>, recorder: Recorder): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(recorder.text(error.message), error.fix && recorder.text(error.fix));
  }
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

  index(name: string, otherwise?: number): number {
    const value = this.#members.get(name) ?? otherwise;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new UserError(`${this.tool}: "${name}" must be a whole number of at least 0`);
  }
}
