import { TOOL_MATCHES } from '../../model/case';
import { message, t } from '../../text/l10n';
import type { Problem } from '../../text/source';
import type { TomlDocument } from '../../toml/readToml';
import {
  amount,
  count,
  describeUnknown,
  findUnknownKeys,
  flag,
  list,
  own,
  type TableSchema,
  table,
  text,
} from '../../toml/tableSchema';
import { MATCHING, PASSED_VARIABLES, PROVIDER } from './sharedSchema';

const STEP = table(
  message('The responses of the model in order, instead of a tape.'),
  {
    type: text(message('The type of this response.'), { enum: ['text', 'tool_call'] }),
    content: text(message('The text of the response.')),
    tool: text(message('The name of the called tool.')),
    arguments: { type: 'object', description: message('The arguments of the call.') },
  },
  ['type'],
);

const TOOL_RESULT = table(
  own(
    message(
      'What the tool returns for these arguments. Recordings write them where the tool has a `command` or `mcp`.',
    ),
  ),
  {
    arguments: { type: 'object', description: message('The arguments of the call.') },
    result: { description: message('The value that the tool returns, of any type.') },
    error: text(message('The error that the model gets instead of a result.')),
  },
);

const TOOL = table(
  message('A tool that the agent may call. It always returns `result`, or the one of its `results` for the arguments.'),
  {
    name: text(message('The name of the tool.')),
    description: text(message('The description of the tool, for the model.')),
    schema: { type: 'object', description: message('The JSON schema of the arguments.') },
    result: { description: message('The value that the tool returns, of any type.') },
    delay_ms: count(own(message('The simulated duration of a call, in milliseconds.')), 0, 0),
    results: list(TOOL_RESULT),
    match: text(
      own(message('How the arguments of a call are compared with those of the `results`: `subset` allows more.')),
      {
        enum: TOOL_MATCHES,
        default: 'exact',
      },
    ),
    command: list(
      text(
        own(
          message(
            "The command that a recording runs for each call, in the case's folder. It gets the arguments as JSON on stdin and prints the result, which is kept in `results`.",
          ),
        ),
      ),
    ),
    pass_env: PASSED_VARIABLES,
    mcp: table(own(message('The MCP server that a recording calls. What it returns is kept in `results`.')), {
      config: text(
        message("The MCP configuration, relative to the case's folder, such as .mcp.json or .vscode/mcp.json."),
      ),
      server: text(message('The name of the server in it.')),
      tool: text(message("The tool's name on the server, if it differs.")),
    }),
  },
  ['name', 'description', 'schema'],
);

const TOOL_ARGUMENTS = table(
  own(message('Fails unless the tool was called with these arguments.')),
  {
    tool: text(message('The name of the tool.')),
    call: count(message('Which call of the tool, from 1. By default, any for `arguments`, and all for `schema`.'), 1),
    arguments: {
      type: 'object',
      description: message('Arguments that the call must have, at any depth. It may have more; lists must be equal.'),
    },
    schema: { type: 'object', description: message('The JSON schema that the arguments conform to.') },
  },
  ['tool'],
);

/** The TOML of a case, as `readCase` reads it: MoFA's `test-dsl` schema with Tapedeck's additions. */
export const CASE_SCHEMA: TableSchema = table(
  message('A test case: the prompt, the source of the model responses, and the assertions.'),
  {
    name: text(message('The name of this case in lists and reports.')),
    prompt: text(message('The prompt for the agent.')),
    input: text(message('Another name for `prompt`, which takes precedence.')),
    expected_text: text(message('Short for `contains` under [assert], which takes precedence.')),
    tags: list(text(own(message('Tags for finding and selecting cases.')))),
    bootstrap_files: list(
      table(
        message("A file to create in the run's workspace before the run starts."),
        {
          path: text(message("The path, relative to the run's workspace.")),
          content: text(message('The content of the file.')),
        },
        ['path', 'content'],
      ),
    ),
    agent: table(message('The agent under test.'), {
      name: text(message("The agent's name in the system prompt.")),
      description: text(message("The agent's description in the system prompt.")),
      system: text(own(message('The whole system prompt, instead of the generated one.'))),
      max_iterations: count(own(message('The maximum number of model calls in one run.')), 1, 10),
      tool_timeout_ms: count(own(message('The timeout of a tool call, in milliseconds.')), 1, 30_000),
      command: list(text(own(message('Your own agent instead of the built-in one: the program, then its arguments.')))),
      cwd: text(own(message("The working directory of the command, relative to the case's folder."))),
      pass_env: PASSED_VARIABLES,
      mcp_config: text(
        own(
          message(
            "The configuration of the command's MCP servers, relative to the case's folder: they are recorded and replayed as well. The command finds a copy in TAPEDECK_MCP_CONFIG.",
          ),
        ),
      ),
      watch: list(
        text(
          own(
            message(
              "A file or folder of your agent's source, relative to the case's folder: when it changes, results are outdated. By default, the files that the command names and those of the same kind beside and below them, the module of `python -m`, or the sources in the folder where npm, go, cargo and the like are started.",
            ),
          ),
        ),
      ),
      allow_none: flag(own(message('Accept a run in which the agent makes no request. Otherwise it fails.')), false),
      env: { type: 'object', description: own(message('Environment variables for the command.')) },
      url: text(
        own(
          message('Your own agent instead of the built-in one: a service that receives the prompt as a POST request.'),
        ),
      ),
      proxy_port: count(
        own(message('The port on which the service reaches its models: http://127.0.0.1:PORT/tape/openai.')),
        1,
      ),
      response_path: text(own(message("The path of the output in the service's response, such as output.text."))),
      timeout_ms: count(own(message('The timeout of the command or the service, in milliseconds.')), 1, 600_000),
      clock: text(own(message('The current date and time during the run, such as 2026-01-31T12:00:00Z.'))),
    }),
    tools: list(TOOL),
    llm: table(message('The source of the model responses: a tape, a script, or a provider.'), {
      tape: text(message("The tape that Replay reads, relative to the case's folder.")),
      record_tape: text(message('The tape that Re-record writes, if different from `tape`.')),
      responses: list(text(message('The responses of the model as texts, in order.'))),
      steps: list(STEP),
      provider: PROVIDER,
      replay: table(own(message('How requests are matched with recordings.')), {
        ...MATCHING,
        on_miss: text(own(message('What a recording does with a request that is not on the tape. A replay fails.')), {
          enum: ['fail', 'record', 'passthrough'],
          default: 'fail',
        }),
        fail_on_unused: flag(message('Fail if the agent did not use all recordings of the tape.')),
        repeat: flag(message('Serve the last recording of a request again when all have been used.')),
        max_age_days: count(message('Days after which a recording expires.'), 1),
        fail_on_expired: flag(message('Fail if an expired recording was served.')),
      }),
    }),
    assert: table(message('The assertions about the run.'), {
      contains: text(message('Fails unless the output contains this text.')),
      tool_called: text(message('Fails unless the agent called this tool.')),
      not_contains: text(own(message('Fails if the output contains this text.'))),
      matches: text(own(message('Fails unless the output matches this regular expression.'))),
      json_schema: {
        type: 'object',
        description: own(message('Fails unless the output is JSON that conforms to this schema.')),
      },
      max_ms: count(own(message('Fails if the run takes longer than this many milliseconds.')), 1),
      max_tokens: count(own(message('Fails if the responses use more than this many tokens in total.')), 1),
      tool_order: list(
        text(own(message('Fails unless these tools were called in this order; other calls in between are allowed.'))),
      ),
      tool_args: list(TOOL_ARGUMENTS),
      tool_not_called: list(text(own(message('Fails if the agent called one of these tools.')))),
      max_calls: count(own(message('Fails if the agent calls the model more often than this.')), 1),
      max_cost: amount(
        own(
          message(
            'Fails if the responses cost more than this many US dollars, at list prices or those under [prices] in tapedeck.toml.',
          ),
        ),
      ),
      no_errors: flag(own(message('Fails if a tool call failed, or a response of the model is an error.'))),
      each_tool_result_used: flag(
        own(
          message(
            'Fails unless each tool result was sent to the model, and a later response has a word or number of it.',
          ),
        ),
      ),
      samples: count(
        own(
          message(
            'How many runs judge the case. A recording keeps them all on the tape, one after the other, and a replay serves each in turn.',
          ),
        ),
        1,
        1,
      ),
      pass_rate: amount(
        own(
          message(
            'The share of samples in which all assertions must hold, such as 0.8 for four of five. Trials use it as well.',
          ),
        ),
        1,
      ),
      semantic: text(
        own(message("A file of MoFA's semantic assertions about the output, relative to the case's folder.")),
      ),
    }),
  },
  ['name'],
);

/**
 * Reports keys of a case that nobody reads, and assertions that are never checked. MoFA ignores both, so they are not errors,
 * but most are misspellings, and a case without its assertions passes.
 */
export function findUnreadKeys(document: TomlDocument): readonly Problem[] {
  return findUnknownKeys(document, CASE_SCHEMA, ({ key, table, ...unknown }) =>
    table[0] === 'assert' && table.length === 1
      ? { severity: 'warning', message: t('there is no assertion `{0}`, so it is never checked', key) }
      : describeUnknown({ key, table, ...unknown }),
  );
}
