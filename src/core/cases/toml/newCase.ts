import type { Span } from '../../text/source';
import { tomlTable, tomlText } from '../../toml/writeToml';
import type { TapedPrompt } from './tapedPrompt';

/** The agent that a new case tests: the built-in one with a model, or the user's own program or service. */
export type NewCaseAgent =
  | { readonly type: 'model'; readonly provider: NewCaseProvider }
  | {
      readonly type: 'command';
      readonly command: readonly string[] /** Relative to the folder of the case. */;
      readonly cwd?: string;
    }
  | { readonly type: 'service'; readonly url: string };

export type NewCaseProvider = 'practice' | 'open_ai_compatible' | 'ollama' | 'vscode_lm';

interface NewCase {
  readonly name: string;
  readonly agent: NewCaseAgent;
  /** The path of the tape, relative to the folder of the case. */
  readonly tape: string;
  readonly isRecorded: boolean;
  /** What an existing tape was recorded with, where it has a prompt. */
  readonly taped?: TapedPrompt;
  /** The model of the provider, if not the usual one. */
  readonly model?: string;
}

interface NewCaseText {
  readonly text: string;
  /** The words of the prompt, without their quotes, to be selected in the editor. */
  readonly prompt: Span;
}

const PROMPT = 'What do you want to ask the agent?';

/** Writes a minimal case with comments on what to fill in. */
export function newCaseText({ name, agent, tape, isRecorded, taped, model }: NewCase): NewCaseText {
  const head = `${introduction(isRecorded)}\nname = ${tomlText(name)}\nprompt = `;
  const prompt = tomlText(taped?.prompt ?? PROMPT);
  const parts = [
    `${head}${prompt}`,
    ...agentTables(agent, taped),
    `[llm]\ntape = ${tomlText(tape)}`,
    ...(agent.type === 'model' ? [providerTable(agent.provider, model)] : []),
    ASSERTIONS,
  ];
  const quotes = prompt.startsWith('"""') ? 3 : 1;
  const start = head.length + quotes;
  return { text: `${parts.join('\n\n')}\n`, prompt: { start, end: head.length + prompt.length - quotes } };
}

function introduction(isRecorded: boolean): string {
  return isRecorded
    ? '# Replay runs this case with the responses on its tape.\n# Re-record replaces them.'
    : '# Record runs this case once, and keeps the responses\n# on its tape. Replay then runs it offline.';
}

function agentTables(agent: NewCaseAgent, taped: TapedPrompt | undefined): readonly string[] {
  if (agent.type === 'command')
    return [
      [
        '# The prompt is passed on stdin and in TAPEDECK_PROMPT.',
        '[agent]',
        `command = ${list(agent.command)}`,
        ...(agent.cwd === undefined ? [] : [`cwd = ${tomlText(agent.cwd)}`]),
      ].join('\n'),
    ];
  if (agent.type === 'service')
    return [`# The prompt is sent as a POST request.\n[agent]\nurl = ${tomlText(agent.url)}`];
  const system = taped?.system === undefined ? [] : [tomlTable('[agent]', { system: taped.system })];
  return [...system, ...(taped?.tools ?? []).map((tool) => tomlTable('[[tools]]', { ...tool }))];
}

function list(words: readonly string[]): string {
  return `[${words.map(tomlText).join(', ')}]`;
}

function providerTable(provider: NewCaseProvider, model: string | undefined): string {
  const table = PROVIDERS[provider];
  return model === undefined ? table : table.replace(/^model = .*$/m, () => `model = ${tomlText(model)}`);
}

const PROVIDERS: Readonly<Record<NewCaseProvider, string>> = {
  practice: `# The practice model is built in, offline, and free.
# Name a real one here when you are ready.
[llm.provider]
kind = "practice"`,
  open_ai_compatible: `# The key is in the variable OPENAI_API_KEY, or stored with
# "Tapedeck: Set Provider Key…".
[llm.provider]
kind = "open_ai_compatible"
base_url = "https://api.openai.com/v1"
model = "gpt-4o-mini"`,
  ollama: `[llm.provider]
kind = "ollama"
model = "llama3.2"`,
  vscode_lm: `# A model of VS Code, such as Copilot's. VS Code asks for your consent.
[llm.provider]
kind = "vscode_lm"`,
};

const ASSERTIONS = `# What has to hold in every run. All else is compared
# with the baseline.
[assert]
# contains = "a word in the response"
# tool_called = "name_of_a_tool"`;
