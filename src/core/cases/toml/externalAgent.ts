import type { AgentProgram, AgentService, ExternalAgent } from '../../model/case';
import { t } from '../../text/l10n';
import type { TableReader } from '../../toml/tableReader';

/** Ten minutes, which CI systems allow a step without output. */
export const DEFAULT_AGENT_TIMEOUT_MS = 600_000;
const FIXED_TOKEN = 'tape';

/** Reads `command` or `url` in `[agent]`, with their settings; undefined for the built-in agent. */
export function readExternalAgent(agent: TableReader): ExternalAgent | undefined {
  const program = readProgram(agent);
  const service = readService(agent);
  if (agent.has('command') && agent.has('url'))
    agent.report(t('an agent can have a `command` or a `url`, not both'), t('Remove one of them.'), 'url');
  if (agent.has('command')) return program;
  return service;
}

/** The agent's command line or address, as shown to users. */
export function agentLabel(agent: ExternalAgent): string {
  return agent.kind === 'program' ? agent.command.join(' ') : agent.url;
}

function readProgram(agent: TableReader): AgentProgram {
  const command = agent.texts('command');
  const mcpConfig = agent.text('mcp_config');
  const program = {
    kind: 'program',
    command,
    cwd: agent.text('cwd') ?? '.',
    environment: agent.table('env')?.textMembers() ?? {},
    passedVariables: readPassedVariables(agent),
    ...(mcpConfig !== undefined && { mcpConfig }),
    ...readWatched(agent),
    ...readAllowed(agent),
    timeoutMs: readTimeout(agent),
  } as const;
  if (agent.has('command') && (command.length === 0 || command[0] === '')) {
    agent.report(t('`command` does not name a program'), t('Use command = ["python3", "agent.py"].'), 'command');
  }
  return program;
}

/** `pass_env`: names of variables that the user's own agents get besides the usual ones. */
export function readPassedVariables(agent: TableReader): readonly string[] {
  return agent.has('pass_env') ? agent.texts('pass_env') : [];
}

function readService(agent: TableReader): AgentService | undefined {
  const url = agent.text('url');
  const port = agent.count('proxy_port', 1);
  const path = agent.text('response_path');
  if (url === undefined) return undefined;
  if (!/^https?:\/\/[^/\s]/.test(url) || !URL.canParse(url))
    agent.report(t('`url` is not an http(s) address'), t('Use url = "http://127.0.0.1:8000/run".'), 'url');
  return {
    kind: 'service',
    url,
    ...(port === undefined ? {} : { proxy: { port, token: FIXED_TOKEN } }),
    ...(path === undefined ? {} : { responsePath: path }),
    ...readWatched(agent),
    ...readAllowed(agent),
    timeoutMs: readTimeout(agent),
  };
}

/** `watch`: files and folders, relative to the case's folder, on which the agent's behaviour depends. */
function readWatched(agent: TableReader): Pick<ExternalAgent, 'watched'> {
  return agent.has('watch') ? { watched: agent.texts('watch') } : {};
}

function readAllowed(agent: TableReader): Pick<ExternalAgent, 'allowsNone'> {
  return agent.flag('allow_none') ? { allowsNone: true } : {};
}

function readTimeout(agent: TableReader): number {
  return agent.count('timeout_ms', 1) ?? DEFAULT_AGENT_TIMEOUT_MS;
}

/** The current time during a run as ISO 8601 text; undefined for the real time. */
export function readClock(agent: TableReader): string | undefined {
  const clock = agent.text('clock');
  if (clock === undefined) return undefined;
  if (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(clock) &&
    !Number.isNaN(Date.parse(clock))
  )
    return clock;
  agent.report(t('`clock` is not a date and time with a time zone'), t('Use clock = "2026-01-31T12:00:00Z".'), 'clock');
  return undefined;
}
