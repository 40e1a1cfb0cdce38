import { isRecord, type Json } from '../../json/json';
import { MATCH_MODES } from '../../model/case';
import { closestWord } from '../../text/closestWord';
import type { Problem } from '../../text/source';
import type { TomlDocument, TomlPath } from '../../toml/readToml';

/** A part of JSON Schema, draft 7: what editors need to help with a case. */
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
  'Whom Re-record asks. Replay never does.',
  {
    kind: text('Which API it speaks. `practice` is built in, offline and free; `vscode_lm` is a model of the editor.', {
      enum: ['open_ai_compatible', 'ollama', 'practice', 'vscode_lm'],
    }),
    base_url: text('Where it is, such as "https://api.openai.com/v1". Required for open_ai_compatible.'),
    model: text('The model that is asked.'),
    api_key_env: text('The environment variable with the key. The key itself is written nowhere.', {
      default: 'OPENAI_API_KEY',
    }),
    stream: { type: 'boolean', description: 'Ask for the answer as a stream. Tapedeck only.', default: false },
    timeout_ms: count('How long it may stay silent, in milliseconds. Tapedeck only.', 1, 60_000),
    seed: count('Chooses the answers of the practice provider. Tapedeck only.', 0),
  },
  ['kind'],
);

const STEP = table(
  'The answers of the model, in their order, in place of a tape.',
  {
    type: text('What this answer is.', { enum: ['text', 'tool_call'] }),
    content: text('What the model says.'),
    tool: text('The tool that is called.'),
    arguments: { type: 'object', description: 'What the tool is called with.' },
  },
  ['type'],
);

const TOOL = table(
  'A tool the agent may call. Its answer is always `result`.',
  {
    name: text('What the model calls it.'),
    description: text('What it does, for the model.'),
    schema: { type: 'object', description: 'JSON schema of its arguments.' },
    result: { description: 'What it answers: any value.' },
    delay_ms: count('How long it takes to answer, in milliseconds. Tapedeck only.', 0, 0),
  },
  ['name', 'description'],
);

/** The TOML of a case, as `readCase` reads it: MoFA's `test-dsl` schema with Tapedeck's additions. */
export const CASE_SCHEMA: CaseSchema = table(
  'A test case: what the user says, where the answers of the model come from, and what must hold.',
  {
    name: text('What this case is called, in lists and reports.'),
    prompt: text('What the user says to the agent.'),
    input: text('Another name for `prompt`, which wins.'),
    expected_text: text('Short for `contains` under [assert], which wins.'),
    tags: { ...list(text('Words to find and choose cases by. Tapedeck only.')) },
    bootstrap_files: list(
      table(
        'A file that is in the workspace of the run from the start.',
        { path: text('Where, from the workspace of the run.'), content: text('What is in it.') },
        ['path', 'content'],
      ),
    ),
    agent: table('Who the agent is.', {
      name: text('Its name, in the system prompt.'),
      description: text('What it does, in the system prompt.'),
      system: text('The whole system prompt, in place of the one that is made. Tapedeck only.'),
      max_iterations: count('How often the model may be asked in one run. Tapedeck only.', 1, 10),
      tool_timeout_ms: count('How long one tool call may take, in milliseconds. Tapedeck only.', 1, 30_000),
      command: list(
        text('Your own agent in place of the built-in one: the program, then its arguments. Tapedeck only.'),
      ),
      cwd: text("Where the command runs, from the case's folder. Tapedeck only."),
      env: { type: 'object', description: 'Variables for the command. Tapedeck only.' },
      url: text('Your own agent in place of the built-in one: a service that is asked with a POST. Tapedeck only.'),
      proxy_port: count('Where the service finds its models: http://127.0.0.1:PORT/tape/openai. Tapedeck only.', 1),
      response_path: text('Where the answer is in what the service says, such as output.text. Tapedeck only.'),
      timeout_ms: count('How long the command or the service may take, in milliseconds. Tapedeck only.', 1, 600_000),
      clock: text('The date and time that the run takes for now, such as 2026-01-31T12:00:00Z. Tapedeck only.'),
    }),
    tools: list(TOOL),
    llm: table('Where the answers of the model come from: a tape, a script, or a provider.', {
      tape: text("The tape that Replay reads, from the case's folder."),
      record_tape: text('The tape that Re-record writes, where that is not `tape`.'),
      responses: list(text('The answers of the model as texts, in their order.')),
      steps: list(STEP),
      provider: PROVIDER,
      replay: table('How requests find their recordings. Tapedeck only.', {
        match: text('By position, by all of it, by what was recorded of it, or by the key of the format.', {
          enum: MATCH_MODES,
        }),
        mask: list(text('What may differ: a preset such as `uuid`, or a path such as /messages/0/content.')),
        on_miss: text('What becomes of a request that has no recording.', {
          enum: ['fail', 'record', 'passthrough'],
          default: 'fail',
        }),
        fail_on_unused: { type: 'boolean', description: 'Fail where the agent did not ask for all of the tape.' },
        repeat: { type: 'boolean', description: 'Serve the last recording of a request again when all are used.' },
        max_age_days: count('After how many days a recording is expired.', 1),
        fail_on_expired: { type: 'boolean', description: 'Fail where an expired recording was served.' },
      }),
    }),
    assert: table('What must hold of the run.', {
      contains: text('The output has this text in it.'),
      tool_called: text('Fails unless the agent called this tool.'),
      not_contains: text('The output has not this text in it. Tapedeck only.'),
      matches: text('The output matches this regular expression. Tapedeck only.'),
      json_schema: { type: 'object', description: 'The output is JSON as this schema wants it. Tapedeck only.' },
      max_ms: count('The run takes no longer, in milliseconds. Tapedeck only.', 1),
      max_tokens: count('The answers take no more tokens than these, all together. Tapedeck only.', 1),
      tool_order: list(text('These tools were called in this order, others perhaps in between. Tapedeck only.')),
      semantic: text(
        "A file of MoFA's semantic assertions that the output must hold, from the case's folder. Tapedeck only.",
      ),
    }),
  },
  ['name'],
);

/** The schema of the table at `path`; through lists of tables it is that of their items. Undefined where there is none. */
export function schemaAt(path: readonly string[]): CaseSchema | undefined {
  return path.reduce<CaseSchema | undefined>((at, key) => memberOf(at, key), CASE_SCHEMA);
}

function memberOf(schema: CaseSchema | undefined, key: string): CaseSchema | undefined {
  const { properties } = schema?.items ?? schema ?? {};
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Is this written with a `[header]`, or `[[header]]`, of its own? */
export function isTable(schema: CaseSchema): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

/** The keys that nobody reads. MoFA ignores them, so they are no error; most of them are misspelt all the same. */
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
  // Without properties, the keys of a table are the writer's own.
  if (properties === undefined || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, key];
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema !== undefined) return unknownIn(document, member, schema, place);
    const close = closestWord(key, Object.keys(properties));
    const fix = close === undefined ? 'Correct it, or take it out.' : `Perhaps you meant \`${close}\`.`;
    return [
      {
        severity: 'info',
        message: `${unknownKeyProblem(key, path)} does nothing`,
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
