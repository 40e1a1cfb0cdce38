import type { Case, ExternalAgent } from '../../core/model/case';
import { APIS } from '../proxy/apis';

/** The environment of the user's own agent, without what leads it to the proxy. Keys may come from elsewhere than ours. */
export function agentEnvironment(
  testCase: Case,
  agent: ExternalAgent,
  env: (name: string) => string | undefined,
): Record<string, string | undefined> {
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env;
  const keys = APIS.flatMap(({ keyVariables }) => keyVariables).map((variable) => [variable, env(variable)] as const);
  return {
    ...inherited,
    ...Object.fromEntries(keys),
    ...(agent.kind === 'program' ? agent.environment : {}),
    TAPEDECK_PROMPT: testCase.prompt,
    ...runVariables(testCase),
  };
}

/** What an agent is told of its run, however it is asked. */
export function runVariables({ name, agent: { clock } }: Case): Record<string, string> {
  return { TAPEDECK_CASE: name, ...(clock === undefined ? {} : clockVariables(clock)) };
}

/** `SOURCE_DATE_EPOCH` is what build tools agreed on, in seconds. */
function clockVariables(clock: string): Record<string, string> {
  return { TAPEDECK_NOW: clock, SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(clock) / 1000)) };
}
