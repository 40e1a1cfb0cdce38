import { anything, defaultList, flag, float, list, optional, required, struct, text, unsigned, words } from './serde';

/** The documents of MoFA's `test-dsl`, field by field as its Rust structs have them (mofa-org/mofa, pull request 1581). */

const provider = struct({
  kind: required(words('open_ai_compatible', 'ollama')),
  base_url: optional(text),
  model: optional(text),
  api_key_env: optional(text),
});

const step = struct({
  type: required(words('text', 'tool_call')),
  content: optional(text),
  tool: optional(text),
  arguments: optional(anything),
});

export const dslDocument = struct({
  name: required(text),
  prompt: optional(text),
  input: optional(text),
  expected_text: optional(text),
  bootstrap_files: defaultList(struct({ path: required(text), content: required(text) })),
  agent: optional(struct({ name: optional(text), description: optional(text) })),
  tools: defaultList(
    struct({
      name: required(text),
      description: required(text),
      schema: required(anything),
      result: optional(anything),
    }),
  ),
  llm: optional(
    struct({
      responses: defaultList(text),
      steps: defaultList(step),
      tape: optional(text),
      record_tape: optional(text),
      provider: optional(provider),
    }),
  ),
  assert: optional(struct({ contains: optional(text), tool_called: optional(text) })),
});

/** A case as it is written. */
export type DslDocument = ReturnType<typeof dslDocument>;
export type DslLlm = NonNullable<DslDocument['llm']>;
export type DslProvider = NonNullable<DslLlm['provider']>;

const count = unsigned(32);
const usage = struct({
  prompt_tokens: required(count),
  completion_tokens: required(count),
  total_tokens: required(count),
});
const toolCall = struct({ id: required(text), name: required(text), arguments: required(anything) });
const toolCalls = list(toolCall);
/** What a message has beside its calls, which tapes may leave out and artifacts may not. */
const message = { role: required(text), content: optional(text), tool_call_id: optional(text) };

export const tapeDocument = struct({
  version: required(count),
  case_name: required(text),
  interactions: required(
    list(
      struct({
        request: optional(
          struct({
            messages: required(list(struct({ ...message, tool_calls: defaultList(toolCall) }))),
            model: optional(text),
            temperature: optional(float),
            max_tokens: optional(count),
            tool_names: defaultList(text),
          }),
        ),
        response: required(text),
        tool_calls: defaultList(toolCall),
        usage: optional(usage),
      }),
    ),
  ),
});

export type TapeInteraction = ReturnType<typeof tapeDocument>['interactions'][number];

const size = unsigned(64);
const files = struct({
  files: required(
    list(
      struct({
        relative_path: required(text),
        size_bytes: required(size),
        modified_ms: optional(size),
        checksum: required(size),
      }),
    ),
  ),
});

export const artifactDocument = struct({
  case_name: required(text),
  status: required(text),
  output_text: optional(text),
  runner_error: optional(text),
  duration_ms: required(size),
  started_at_ms: required(size),
  execution_id: required(text),
  session_id: optional(text),
  workspace_root: required(text),
  agent: required(struct({ id: required(text), name: required(text) })),
  assertions: required(
    list(
      struct({
        kind: required(text),
        expected: required(anything),
        actual: required(anything),
        passed: required(flag),
      }),
    ),
  ),
  tool_calls: required(
    list(
      struct({
        tool_name: required(text),
        input: required(anything),
        output: optional(anything),
        success: required(flag),
        duration_ms: optional(size),
        timed_out: required(flag),
      }),
    ),
  ),
  llm_request: optional(
    struct({
      model: optional(text),
      temperature: optional(float),
      max_tokens: optional(count),
      messages: required(list(struct({ ...message, tool_calls: required(toolCalls) }))),
      tool_names: required(list(text)),
    }),
  ),
  llm_response: optional(struct({ content: optional(text), tool_calls: required(toolCalls), usage: optional(usage) })),
  session_snapshot: optional(
    struct({ messages: required(list(struct({ role: required(text), content: required(text) }))) }),
  ),
  workspace_before: required(files),
  workspace_after: required(files),
});

/** An artifact, as far as a comparison needs it. */
export type BaselineDocument = ReturnType<typeof artifactDocument>;

/** The response of an OpenAI-compatible provider. */
export const completionDocument = struct({
  choices: required(
    list(
      struct({
        message: required(
          struct({
            role: required(text),
            content: optional(text),
            tool_call_id: optional(text),
            tool_calls: optional(
              list(
                struct({
                  id: required(text),
                  type: optional(text),
                  function: required(struct({ name: required(text), arguments: required(text) })),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
  ),
  usage: optional(usage),
});

export type Completion = ReturnType<typeof completionDocument>;
