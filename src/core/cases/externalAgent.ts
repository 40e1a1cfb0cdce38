import type { Fields } from './fields';

/** The user's own agent: a program in any language, whose calls of models go through the tape. */
export interface ExternalAgent {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Where it runs, relative to the case's folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Ten minutes: what CI systems allow a silent step. */
export const DEFAULT_AGENT_TIMEOUT_MS = 600_000;

/** Reads `command` and what belongs to it in `[agent]`; undefined for the built-in agent. */
export function readExternalAgent(agent: Fields): ExternalAgent | undefined {
  const command = agent.texts('command');
  const external = {
    command,
    cwd: agent.text('cwd') ?? '.',
    environment: agent.table('env')?.textMembers() ?? {},
    timeoutMs: agent.count('timeout_ms', 1) ?? DEFAULT_AGENT_TIMEOUT_MS,
  };
  if (!agent.has('command')) return undefined;
  if (command.length === 0 || command[0] === '') {
    agent.report('`command` names no program', 'Use command = ["python3", "agent.py"].', 'command');
  }
  return external;
}

/** The moment that a run takes for now, as a text of ISO 8601; undefined where that is the real one. */
export function readClock(agent: Fields): string | undefined {
  const clock = agent.text('clock');
  if (clock === undefined) return undefined;
  if (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(clock) &&
    !Number.isNaN(Date.parse(clock))
  )
    return clock;
  agent.report('`clock` is no date and time with a zone', 'Use clock = "2026-01-31T12:00:00Z".', 'clock');
  return undefined;
}
