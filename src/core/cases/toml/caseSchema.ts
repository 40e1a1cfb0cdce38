import { TOOL_MATCHES } from '../../model/case';
import {
  amount,
  anything,
  count,
  list,
  needed,
  neededByOthers,
  object,
  own,
  type Refusal,
  table,
  text,
  type Value,
} from '../../schema/schema';
import { message, t } from '../../text/l10n';
import { ASSERTION_SCHEMAS } from './assertions';
import { AGENT, PASSED_VARIABLES, programOf } from './externalAgent';
import { CASE_NORMALISE } from './normalise';
import { PROVIDER } from './provider';
import { REPLAY } from './replaySpec';

const BOOTSTRAP_FILE = table(message("A file to create in the run's workspace before the run starts."), {
  path: needed(
    text(message("The path, relative to the run's workspace."), {
      check: (path) =>
        leavesFolder(path)
          ? {
              message: t("bootstrap file `{0}` is outside the run's workspace", path),
              fix: t('Use a relative path without "..".'),
            }
          : undefined,
    }),
  ),
  content: needed(text(message('The content of the file.'))),
});

function leavesFolder(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
}

const TOOL_RESULT = own(
  table(
    message(
      'What the tool returns for these arguments. Recordings write them where the tool has a `command` or `mcp`.',
    ),
    {
      arguments: object(message('The arguments of the call.')),
      result: anything(message('The value that the tool returns, of any type.')),
      error: text(message('The error that the model gets instead of a result.')),
    },
    {
      check({ result, error }) {
        if (result !== undefined && error !== undefined)
          return { message: t('`result` cannot be combined with `error`'), fix: t('Keep one of them.'), at: ['error'] };
        if (result !== undefined || error !== undefined) return undefined;
        const neither = t('one of [[tools.results]] has neither a `result` nor an `error`');
        return { message: neither, fix: t('Add result = "…".') };
      },
    },
  ),
);

const TOOL = table(
  message('A tool that the agent may call. It always returns `result`, or the one of its `results` for the arguments.'),
  {
    name: needed(text(message('The name of the tool.'))),
    description: needed(text(message('The description of the tool, for the model.'))),
    schema: neededByOthers(anything(message('The JSON schema of the arguments.'), { mostly: 'object' })),
    result: anything(message('The value that the tool returns, of any type.')),
    delay_ms: own(count(message('The simulated duration of a call, in milliseconds.'), 0, { default: 0 })),
    results: own(list(TOOL_RESULT)),
    match: own(
      text(
        message(
          'How the arguments of a call are compared with those in `results`: `subset` allows additional arguments.',
        ),
        {
          enum: TOOL_MATCHES,
          refusal: message('unknown match: {0}'),
          otherwise: 'exact',
        },
      ),
    ),
    command: programOf(
      message(
        "The command that runs for each call while recording, in the case's folder. It receives the arguments as JSON on stdin and prints the result, which is saved in `results`.",
      ),
      () => t('Use command = ["python3", "tool.py"].'),
    ),
    pass_env: PASSED_VARIABLES,
    mcp: own(
      table(message('The MCP server that a recording calls. What it returns is kept in `results`.'), {
        config: needed(
          text(message("The MCP configuration, relative to the case's folder, such as .mcp.json or .vscode/mcp.json.")),
        ),
        server: needed(text(message('The name of the server in it.'))),
        tool: text(message("The tool's name on the server, if it differs.")),
      }),
    ),
  },
  {
    check(tool) {
      // `result` answers every call, so whatever else could answer one would never be asked.
      const unasked = (['results', 'command', 'mcp'] as const).filter(
        (key) => tool[key] !== undefined && tool.result !== undefined,
      );
      const refusals = unasked.map((other): Refusal => {
        const fix = t('Remove `result`, which answers every call, whatever its arguments.');
        return { message: t('`result` cannot be combined with `{0}`', other), fix, at: ['result'] };
      });
      if (tool.command === undefined || tool.mcp === undefined) return refusals;
      const both = t('a tool can have a `command` or an `mcp`, not both');
      return [...refusals, { message: both, fix: t('Remove one of them.'), at: ['mcp'] }];
    },
  },
);
export type ToolTable = Value<typeof TOOL>;

const STEP = table(
  message('The responses of the model in order, instead of a tape.'),
  {
    type: needed(
      text(message('The type of this response.'), {
        enum: ['text', 'tool_call'],
        refusal: message('unknown step type: {0}'),
      }),
    ),
    content: text(message('The text of the response.')),
    tool: text(message('The name of the called tool.'), { names: 'tool' }),
    arguments: anything(message('The arguments of the call.'), { mostly: 'object' }),
  },
  {
    check: ({ type, tool }) =>
      type === 'tool_call' && tool === undefined
        ? { message: t('missing field `{0}`', 'tool'), fix: t('Add {0} = "…".', 'tool'), code: 'missing:tool' }
        : undefined,
  },
);

const LLM = table(
  message('The source of the model responses: a tape, a script, or a provider.'),
  {
    tape: text(message("The tape that Replay reads, relative to the case's folder."), { names: 'tape' }),
    record_tape: text(message('The tape that Re-record writes, if different from `tape`.'), { names: 'tape' }),
    responses: list(text(message('The responses of the model as texts, in order.'))),
    steps: list(STEP),
    provider: PROVIDER,
    replay: REPLAY,
  },
  {
    // What MoFA fails on. A provider beside a tape is Tapedeck's addition, for re-recording.
    check({ tape, record_tape: recorded, steps, responses, provider }) {
      const hasScript = (steps ?? []).length > 0 || (responses ?? []).length > 0;
      const refusals: Refusal[] = [];
      if (tape !== undefined && steps !== undefined)
        refusals.push({
          message: t('`tape` cannot be combined with `steps`'),
          fix: t('Keep one of them: steps are a script, a tape is a recording.'),
          at: ['tape'],
          code: 'tape-and-steps',
        });
      if (provider !== undefined && hasScript)
        refusals.push({
          message: t('provider-backed llm cannot be combined with inline responses, steps, or replay tape'),
          fix: t('Remove [llm.provider], or the inline responses.'),
          at: ['provider'],
          code: 'provider-and-script',
        });
      else if (provider !== undefined && tape === undefined && recorded === undefined)
        refusals.push({
          message: t('provider-backed llm requires record_tape'),
          fix: t('Add record_tape = "NAME.tape.json" under [llm].'),
          at: ['provider'],
          code: 'no-tape',
        });
      return refusals;
    },
  },
);
export type LlmTable = Value<typeof LLM>;

const ASSERT = table(message('The assertions about the run.'), {
  ...ASSERTION_SCHEMAS,
  samples: own(
    count(
      message(
        'How many runs judge the case. A recording keeps them all on the tape, one after the other, and a replay serves each in turn.',
      ),
      1,
      { otherwise: 1 },
    ),
  ),
  pass_rate: own(
    amount(
      message(
        'The share of samples in which all assertions must hold, such as 0.8 for four of five. Trials use it as well.',
      ),
      {
        otherwise: 1,
        check: (rate) =>
          rate > 1
            ? { message: t('`pass_rate` must be at most 1'), fix: t('For four of five samples, use 0.8.') }
            : undefined,
      },
    ),
  ),
  semantic: own(
    text(message("A file of MoFA's semantic assertions about the output, relative to the case's folder."), {
      names: 'file',
    }),
  ),
});
export type AssertTable = Value<typeof ASSERT>;

/** The TOML of a case: MoFA's `test-dsl` schema with Tapedeck's additions. */
export const CASE = table(
  message('A test case: the prompt, the source of the model responses, and the assertions.'),
  {
    name: needed(text(message('The name of this case in lists and reports.'), { names: 'case' })),
    prompt: text(message('The prompt for the agent.')),
    input: text(message('Another name for `prompt`, which takes precedence.')),
    expected_text: text(message('Short for `contains` under [assert], which takes precedence.')),
    tags: own(list(text(message('Tags for finding and selecting cases.')))),
    bootstrap_files: list(BOOTSTRAP_FILE),
    agent: AGENT,
    tools: list(TOOL),
    llm: LLM,
    assert: ASSERT,
    normalise: CASE_NORMALISE,
  },
  {
    check({ agent, assert: { samples = 1, semantic } = {} }) {
      if (samples === 1) return undefined;
      const fix = t('Remove `samples`. `tapedeck trial` takes several samples of any case.');
      const at = ['assert', 'samples'];
      const refusals: Refusal[] = [];
      if (agent?.command !== undefined || agent?.url !== undefined)
        refusals.push({ message: t('`samples` is for the built-in agent, not for `command` or `url`'), fix, at });
      if (semantic !== undefined)
        refusals.push({ message: t('`samples` cannot be combined with `semantic`'), fix, at });
      return refusals;
    },
  },
);
