import type { AgentSpec, ExternalAgent } from '../../model/case';
import { count, flag, list, named, own, table, text, type Value } from '../../schema/schema';
import { message, t } from '../../text/l10n';

/** Ten minutes, which CI systems allow a step without output. */
export const DEFAULT_AGENT_TIMEOUT_MS = 600_000;
export const DEFAULT_MAX_ITERATIONS = 10;
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
const FIXED_TOKEN = 'tape';

/** `pass_env`: names of variables that the user's own programs get besides the usual ones. */
export const PASSED_VARIABLES = own(
  list(
    text(
      message(
        'A variable of your environment that the command gets besides PATH, HOME and the like; in a replay, a stand-in for a secret one.',
      ),
    ),
  ),
);

/** A program with its arguments. `fix` is called with nothing, and shows an example. */
export function programOf(description: string, fix: () => string) {
  return own(
    list(text(description), {
      check: ([program = '']) =>
        program === '' ? { message: t('`command` does not name a program'), fix: fix() } : undefined,
    }),
  );
}

/** `[agent]` of a case. */
export const AGENT = table(
  message('The agent under test.'),
  {
    name: text(message("The agent's name in the system prompt.")),
    description: text(message("The agent's description in the system prompt.")),
    system: own(text(message('The whole system prompt, instead of the generated one.'))),
    max_iterations: own(
      count(message('The maximum number of model calls in one run.'), 1, { default: DEFAULT_MAX_ITERATIONS }),
    ),
    tool_timeout_ms: own(
      count(message('The timeout of a tool call, in milliseconds.'), 1, { default: DEFAULT_TOOL_TIMEOUT_MS }),
    ),
    command: programOf(message('Your own agent instead of the built-in one: the program, then its arguments.'), () =>
      t('Use command = ["python3", "agent.py"].'),
    ),
    cwd: own(text(message("The working directory of the command, relative to the case's folder."), { otherwise: '.' })),
    pass_env: PASSED_VARIABLES,
    mcp_config: own(
      text(
        message(
          "The MCP configuration file of the command, relative to the case's folder. Its servers are recorded and replayed too. The command must read the copy whose path is in TAPEDECK_MCP_CONFIG.",
        ),
      ),
    ),
    watch: own(
      list(
        text(
          message(
            "A file or folder of your agent's source, relative to the case's folder: when it changes, results are outdated. By default, the files that the command names and those of the same kind beside and below them, the module of `python -m`, or the sources in the folder where npm, go, cargo and the like are started.",
          ),
        ),
      ),
    ),
    allow_none: own(
      flag(message('Accept a run in which the agent makes no request. Otherwise it fails.'), { default: false }),
    ),
    env: own(named(message('Environment variables for the command.'), text())),
    url: own(
      text(
        message('Your own agent instead of the built-in one: a service that receives the prompt as a POST request.'),
        {
          check: (url) =>
            /^https?:\/\/[^/\s]/.test(url) && URL.canParse(url)
              ? undefined
              : { message: t('`url` is not an http(s) address'), fix: t('Use url = "http://127.0.0.1:8000/run".') },
        },
      ),
    ),
    proxy_port: own(
      count(message('The port on which the service reaches its models: http://127.0.0.1:PORT/tape/openai.'), 1),
    ),
    response_path: own(text(message("The path of the output in the service's response, such as output.text."))),
    timeout_ms: own(
      count(message('The timeout of the command or the service, in milliseconds.'), 1, {
        default: DEFAULT_AGENT_TIMEOUT_MS,
      }),
    ),
    clock: own(
      text(message('The current date and time during the run, such as 2026-01-31T12:00:00Z.'), {
        check: (clock) =>
          isTime(clock)
            ? undefined
            : {
                message: t('`clock` is not a date and time with a time zone'),
                fix: t('Use clock = "2026-01-31T12:00:00Z".'),
              },
      }),
    ),
  },
  {
    check: ({ command, url }) =>
      command !== undefined && url !== undefined
        ? {
            message: t('an agent can have a `command` or a `url`, not both'),
            fix: t('Remove one of them.'),
            at: ['url'],
          }
        : undefined,
  },
);
type AgentTable = Value<typeof AGENT>;

/** ISO 8601. */
function isTime(clock: string): boolean {
  const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;
  return pattern.test(clock) && !Number.isNaN(Date.parse(clock));
}

export function agentSpec(agent: AgentTable | undefined): AgentSpec {
  if (agent === undefined) return { maxIterations: DEFAULT_MAX_ITERATIONS, toolTimeoutMs: DEFAULT_TOOL_TIMEOUT_MS };
  const { name, description, system, clock } = agent;
  const external = externalAgent(agent);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(system !== undefined && { system }),
    maxIterations: agent.max_iterations,
    toolTimeoutMs: agent.tool_timeout_ms,
    ...(external && { external }),
    ...(clock !== undefined && { clock }),
  };
}

/** `command` or `url`, with their settings; undefined for the built-in agent. */
function externalAgent(agent: AgentTable): ExternalAgent | undefined {
  const { command, url, mcp_config: mcpConfig, proxy_port: port, response_path: responsePath, watch } = agent;
  const common = {
    ...(watch && { watched: watch }),
    ...(agent.allow_none && { allowsNone: true as const }),
    timeoutMs: agent.timeout_ms,
  };
  if (command !== undefined)
    return {
      kind: 'program',
      command,
      cwd: agent.cwd ?? '.',
      environment: agent.env ?? {},
      passedVariables: agent.pass_env ?? [],
      ...(mcpConfig !== undefined && { mcpConfig }),
      ...common,
    };
  if (url === undefined) return undefined;
  return {
    kind: 'service',
    url,
    ...(port !== undefined && { proxy: { port, token: FIXED_TOKEN } }),
    ...(responsePath !== undefined && { responsePath }),
    ...common,
  };
}

/** The agent's command line or address, as shown to users. */
export function agentLabel(agent: ExternalAgent): string {
  return agent.kind === 'program' ? agent.command.join(' ') : agent.url;
}
