import type { AgentToolName } from '../../contracts/agentToolNames';
import { type AgentTool, type AgentToolInput, findAgentTool } from '../../contracts/agentTools';
import { isRecord } from '../../core/json/json';
import { refusedMember } from '../../core/schema/accepts';
import { UserError } from '../errors/userError';
import { confinedTo } from '../files/confinement';
import { createRecorders, type Recorders } from '../recording/openRecorder';
import type { Recorder } from '../recording/recorder';
import { explainCaseDrift, listCases, proposeAcceptance, readInteraction, replayCase } from './tools';

/** In characters. A longer result would fill the context of the model. */
const MAX_TEXT = 60_000;

type Handlers = {
  readonly [Name in AgentToolName]: (
    input: AgentToolInput<Name>,
    root: string,
    recorder: Recorder,
    signal: AbortSignal,
  ) => Promise<string>;
};

const HANDLERS: Handlers = {
  list_cases: ({ from }, root, recorder) => listCases(root, recorder, from),
  replay_case: ({ case: named }, root, recorder, signal) => replayCase(root, named, recorder, signal),
  explain_drift: ({ case: named }, root, recorder, signal) => explainCaseDrift(root, named, recorder, signal),
  read_interaction: ({ tape, index }, root, recorder) => readInteraction(root, tape, index, recorder),
  propose_acceptance: ({ case: named, reason }, root, recorder) => proposeAcceptance(root, named, reason, recorder),
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
  const accepted = acceptedInput(tool, input);
  const recorder = await recorders(root);
  const call = () => confinedTo(root, () => HANDLERS[tool.name](accepted, root, recorder, signal));
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

/** The arguments of a call, which a model has made, as its tool accepts them. Throws a `UserError` for others. */
function acceptedInput({ name, input: schema }: AgentTool, input: unknown): never {
  const members = isRecord(input) ? input : {};
  const wrong = refusedMember(schema, members);
  if (wrong === undefined) return members as never;
  const wanted = schema.properties?.[wrong]?.type === 'string' ? 'a non-empty string' : 'a whole number of at least 0';
  throw new UserError(`${name}: "${wrong}" must be ${wanted}`);
}
