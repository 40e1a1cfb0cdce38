import { TOOL_MATCHES } from '../../model/case';
import type { Problem } from '../../text/source';
import type { TomlDocument } from '../../toml/readToml';
import {
  amount,
  count,
  describeUnknown,
  findUnknownKeys,
  flag,
  list,
  type TableSchema,
  table,
  text,
} from '../../toml/tableSchema';
import { MATCHING, PASSED_VARIABLES, PROVIDER } from './sharedSchema';

const STEP = table(
  'The responses of the model in order, instead of a tape.',
  {
    type: text('The type of this response.', { enum: ['text', 'tool_call'] }),
    content: text('The text of the response.'),
    tool: text('The name of the called tool.'),
    arguments: { type: 'object', description: 'The arguments of the call.' },
  },
  ['type'],
);

const TOOL_RESULT = table(
  'What the tool returns for these arguments. Recordings write them where the tool has a `command` or `mcp`. Tapedeck only.',
  {
    arguments: { type: 'object', description: 'The arguments of the call.' },
    result: { description: 'The value that the tool returns, of any type.' },
    error: text('The error that the model is told, instead of a result.'),
  },
);

const TOOL = table(
  'A tool that the agent may call. It always returns `result`, or the one of its `results` for the arguments.',
  {
    name: text('The name of the tool.'),
    description: text('The description of the tool, for the model.'),
    schema: { type: 'object', description: 'The JSON schema of the arguments.' },
    result: { description: 'The value that the tool returns, of any type.' },
    delay_ms: count('The simulated duration of a call, in milliseconds. Tapedeck only.', 0, 0),
    results: list(TOOL_RESULT),
    match: text(
      'How the arguments of a call are compared with those of the `results`: `subset` allows more. Tapedeck only.',
      {
        enum: TOOL_MATCHES,
        default: 'exact',
      },
    ),
    command: list(
      text(
        "The command that a recording runs for each call, in the case's folder. It gets the arguments as JSON on stdin and prints the result, which is kept in `results`. Tapedeck only.",
      ),
    ),
    pass_env: PASSED_VARIABLES,
    mcp: table('The MCP server that a recording calls. What it returns is kept in `results`. Tapedeck only.', {
      config: text("The MCP configuration, relative to the case's folder, such as .mcp.json or .vscode/mcp.json."),
      server: text('The name of the server in it.'),
      tool: text("The tool's name at the server, where it is another one."),
    }),
  },
  ['name', 'description', 'schema'],
);

const TOOL_ARGUMENTS = table(
  'Fails unless the tool was called with these arguments. Tapedeck only.',
  {
    tool: text('The name of the tool.'),
    call: count('Which call of the tool, from 1. By default, any of them for `arguments`, and all for `schema`.', 1),
    arguments: {
      type: 'object',
      description: 'The arguments that the call has, at any depth. It may have more; lists are compared as wholes.',
    },
    schema: { type: 'object', description: 'The JSON schema that the arguments conform to.' },
  },
  ['tool'],
);

/** The TOML of a case, as `readCase` reads it: MoFA's `test-dsl` schema with Tapedeck's additions. */
export const CASE_SCHEMA: TableSchema = table(
  'A test case: the prompt, the source of the model responses, and the assertions.',
  {
    name: text('The name of this case in lists and reports.'),
    prompt: text('The prompt for the agent.'),
    input: text('Another name for `prompt`, which takes precedence.'),
    expected_text: text('Short for `contains` under [assert], which takes precedence.'),
    tags: list(text('Tags for finding and selecting cases. Tapedeck only.')),
    bootstrap_files: list(
      table(
        "A file to create in the run's workspace before the run starts.",
        { path: text("The path, relative to the run's workspace."), content: text('The content of the file.') },
        ['path', 'content'],
      ),
    ),
    agent: table('The agent under test.', {
      name: text("The agent's name in the system prompt."),
      description: text("The agent's description in the system prompt."),
      system: text('The whole system prompt, instead of the generated one. Tapedeck only.'),
      max_iterations: count('The maximum number of model calls in one run. Tapedeck only.', 1, 10),
      tool_timeout_ms: count('The timeout of a tool call, in milliseconds. Tapedeck only.', 1, 30_000),
      command: list(
        text('Your own agent instead of the built-in one: the program, then its arguments. Tapedeck only.'),
      ),
      cwd: text("The working directory of the command, relative to the case's folder. Tapedeck only."),
      pass_env: PASSED_VARIABLES,
      mcp_config: text(
        "The configuration of the command's MCP servers, relative to the case's folder: they are recorded and replayed as well. The command finds a copy in TAPEDECK_MCP_CONFIG. Tapedeck only.",
      ),
      watch: list(
        text(
          "A file or folder of your agent's source, relative to the case's folder: when it changes, results are outdated. By default, the files that the command names and those of the same kind beside and below them, the module of `python -m`, or the sources in the folder where npm, go, cargo and the like are started. Tapedeck only.",
        ),
      ),
      allow_none: flag('Accept a run in which the agent makes no request. Otherwise it fails. Tapedeck only.', false),
      env: { type: 'object', description: 'Environment variables for the command. Tapedeck only.' },
      url: text(
        'Your own agent instead of the built-in one: a service that receives the prompt as a POST request. Tapedeck only.',
      ),
      proxy_port: count(
        'The port on which the service reaches its models: http://127.0.0.1:PORT/tape/openai. Tapedeck only.',
        1,
      ),
      response_path: text("The path of the output in the service's response, such as output.text. Tapedeck only."),
      timeout_ms: count('The timeout of the command or the service, in milliseconds. Tapedeck only.', 1, 600_000),
      clock: text('The current date and time during the run, such as 2026-01-31T12:00:00Z. Tapedeck only.'),
    }),
    tools: list(TOOL),
    llm: table('The source of the model responses: a tape, a script, or a provider.', {
      tape: text("The tape that Replay reads, relative to the case's folder."),
      record_tape: text('The tape that Re-record writes, if different from `tape`.'),
      responses: list(text('The responses of the model as texts, in order.')),
      steps: list(STEP),
      provider: PROVIDER,
      replay: table('How requests are matched with recordings. Tapedeck only.', {
        ...MATCHING,
        on_miss: text('What a recording does with a request that is not on the tape. A replay fails. Tapedeck only.', {
          enum: ['fail', 'record', 'passthrough'],
          default: 'fail',
        }),
        fail_on_unused: flag('Fail if the agent did not use all recordings of the tape.'),
        repeat: flag('Serve the last recording of a request again when all have been used.'),
        max_age_days: count('Days after which a recording expires.', 1),
        fail_on_expired: flag('Fail if an expired recording was served.'),
      }),
    }),
    assert: table('The assertions about the run.', {
      contains: text('Fails unless the output contains this text.'),
      tool_called: text('Fails unless the agent called this tool.'),
      not_contains: text('Fails if the output contains this text. Tapedeck only.'),
      matches: text('Fails unless the output matches this regular expression. Tapedeck only.'),
      json_schema: {
        type: 'object',
        description: 'Fails unless the output is JSON that conforms to this schema. Tapedeck only.',
      },
      max_ms: count('Fails if the run takes longer than this many milliseconds. Tapedeck only.', 1),
      max_tokens: count('Fails if the responses use more than this many tokens in total. Tapedeck only.', 1),
      tool_order: list(
        text('Fails unless these tools were called in this order; other calls in between are allowed. Tapedeck only.'),
      ),
      tool_args: list(TOOL_ARGUMENTS),
      tool_not_called: list(text('Fails if the agent called one of these tools. Tapedeck only.')),
      max_calls: count('Fails if the agent calls the model more often than this. Tapedeck only.', 1),
      max_cost: amount(
        'Fails if the responses cost more than this, in US dollars, at list prices or those under [prices] in tapedeck.toml. Tapedeck only.',
      ),
      no_errors: flag('Fails if a tool call failed, or a response of the model is an error. Tapedeck only.'),
      each_tool_result_used: flag(
        'Fails unless each result of a tool was sent to the model, and a later response has a word or number of it. Tapedeck only.',
      ),
      semantic: text(
        "A file of MoFA's semantic assertions about the output, relative to the case's folder. Tapedeck only.",
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
      ? { severity: 'warning', message: `there is no assertion \`${key}\`, so it is never checked` }
      : describeUnknown({ key, table, ...unknown }),
  );
}
