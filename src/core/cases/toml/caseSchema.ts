import { isRecord, type Json } from '../../json/json';
import { MATCH_MODES, ON_DRIFT } from '../../model/case';
import { closestWord } from '../../text/closestWord';
import type { Problem } from '../../text/source';
import type { TomlDocument, TomlPath } from '../../toml/readToml';

/** The part of JSON Schema, draft 7, that editors need to help with a case. */
export interface CaseSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly properties?: Readonly<Record<string, CaseSchema>>;
  readonly required?: readonly string[];
  readonly items?: CaseSchema;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
}

const text = (description: string, more: Omit<CaseSchema, 'description' | 'type'> = {}): CaseSchema => ({
  type: 'string',
  description,
  ...more,
});
const count = (description: string, minimum: number, value?: number): CaseSchema => ({
  type: 'integer',
  description,
  minimum,
  ...(value === undefined ? {} : { default: value }),
});
const table = (
  description: string,
  properties: Readonly<Record<string, CaseSchema>>,
  required: readonly string[] = [],
): CaseSchema => ({ type: 'object', description, properties, ...(required.length > 0 ? { required } : {}) });
const list = (items: CaseSchema): CaseSchema => ({ type: 'array', description: items.description, items });

const PROVIDER = table(
  'The provider that Re-record uses. Replay never sends a request.',
  {
    kind: text(
      'The API of the provider. `practice` is built in, offline and free; `vscode_lm` is a model of the editor.',
      {
        enum: ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'],
      },
    ),
    base_url: text('The base URL, such as "https://api.openai.com/v1". Required for open_ai_compatible.'),
    model: text('The model to use.'),
    api_key_env: text('The environment variable that holds the key. The key itself is never written to a file.', {
      default: 'OPENAI_API_KEY',
    }),
    stream: { type: 'boolean', description: 'Request streamed responses. Tapedeck only.', default: false },
    timeout_ms: count('The time to wait for data from the provider, in milliseconds. Tapedeck only.', 1, 60_000),
    seed: count('Selects the responses of the practice provider. Tapedeck only.', 0),
  },
  ['kind'],
);

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

const TOOL = table(
  'A tool that the agent may call. It always returns `result`.',
  {
    name: text('The name of the tool.'),
    description: text('The description of the tool, for the model.'),
    schema: { type: 'object', description: 'The JSON schema of the arguments.' },
    result: { description: 'The value that the tool returns, of any type.' },
    delay_ms: count('The simulated duration of a call, in milliseconds. Tapedeck only.', 0, 0),
  },
  ['name', 'description', 'schema'],
);

/** The TOML of a case, as `readCase` reads it: MoFA's `test-dsl` schema with Tapedeck's additions. */
export const CASE_SCHEMA: CaseSchema = table(
  'A test case: the prompt, the source of the model responses, and the assertions.',
  {
    name: text('The name of this case in lists and reports.'),
    prompt: text('The prompt for the agent.'),
    input: text('Another name for `prompt`, which takes precedence.'),
    expected_text: text('Short for `contains` under [assert], which takes precedence.'),
    tags: { ...list(text('Tags for finding and selecting cases. Tapedeck only.')) },
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
      pass_env: list(
        text(
          'A variable of your environment that the command gets besides PATH, HOME and the like; in a replay, a stand-in for a secret one. Tapedeck only.',
        ),
      ),
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
        match: text(
          "What counts as recorded: the next recording of the endpoint (the default), any equal one, any whose content the request has, or the one with the format's key.",
          { enum: MATCH_MODES },
        ),
        mask: list(
          text('Parts of a request that may differ: a preset such as `uuid`, or a path such as /messages/0/content.'),
        ),
        on_drift: text(
          'What happens when a request is not as recorded: it fails, or it is served the nearest recording and reported.',
          { enum: ON_DRIFT, default: 'fail' },
        ),
        on_miss: text('What a recording does with a request that is not on the tape. A replay fails. Tapedeck only.', {
          enum: ['fail', 'record', 'passthrough'],
          default: 'fail',
        }),
        fail_on_unused: { type: 'boolean', description: 'Fail if the agent did not use all recordings of the tape.' },
        repeat: {
          type: 'boolean',
          description: 'Serve the last recording of a request again when all have been used.',
        },
        max_age_days: count('Days after which a recording expires.', 1),
        fail_on_expired: { type: 'boolean', description: 'Fail if an expired recording was served.' },
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
      semantic: text(
        "A file of MoFA's semantic assertions about the output, relative to the case's folder. Tapedeck only.",
      ),
    }),
  },
  ['name'],
);

/** The schema of the table at `path`; for a list of tables, the schema of its items. Undefined where there is none. */
export function schemaAt(path: readonly string[]): CaseSchema | undefined {
  return path.reduce<CaseSchema | undefined>((at, key) => memberOf(at, key), CASE_SCHEMA);
}

function memberOf(schema: CaseSchema | undefined, key: string): CaseSchema | undefined {
  const { properties } = schema?.items ?? schema ?? {};
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Whether a value is written under a `[header]` or `[[header]]` of its own. */
export function isTable(schema: CaseSchema): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

/** Reports unknown keys. MoFA ignores them, so they are not errors, but most are misspellings. */
export function findUnknownKeys(document: TomlDocument): readonly Problem[] {
  return unknownIn(document, document.root, CASE_SCHEMA, []);
}

function unknownIn(
  document: TomlDocument,
  value: Json | undefined,
  { properties, items }: CaseSchema,
  path: TomlPath,
): readonly Problem[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => unknownIn(document, item, items, [...path, index]));
  // A table without declared properties may have any keys.
  if (properties === undefined || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, key];
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema !== undefined) return unknownIn(document, member, schema, place);
    const close = closestWord(key, Object.keys(properties));
    const fix = close === undefined ? 'Correct it, or remove it.' : `Change it to \`${close}\`.`;
    return [
      {
        severity: 'info',
        message: `${unknownKeyProblem(key, path)} is ignored`,
        fix,
        span: document.span(place),
      } as const,
    ];
  });
}

function unknownKeyProblem(key: string, path: TomlPath): string {
  const table = path.filter((part) => typeof part === 'string').join('.');
  return table === '' ? `unknown key \`${key}\`` : `unknown key \`${key}\` under [${table}]`;
}
