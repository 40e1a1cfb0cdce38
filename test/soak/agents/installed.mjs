// The agents, and how their frameworks are brought onto this machine: current versions, into .vscode-test/agents, once.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const ROOT = resolve(process.env.AGENTS ?? '.vscode-test/agents');
const MINUTES_MS = 60_000;

/**
 * @typedef {{
 *   name: string,
 *   runtime: string,
 *   install: () => Promise<{ command: string[] } | { missing: string }>,
 *   env?: Record<string, string>,
 *   isAtOnce?: boolean,
 *   isNeverSealed?: boolean,
 *   mask?: string,
 *   saysNothing?: boolean,
 * }} Agent `isAtOnce`: the model calls both tools in one turn. `isNeverSealed`: its runtime cannot tell the sealed proxy who it is.
 * `mask`: what varies by itself. `saysNothing`: its SDK prints the status of an error and nothing else.
 */

/** Frameworks that agree on their dependencies share an environment: its packages, and the agents in it. */
const PYTHON = [
  {
    environment: 'a',
    packages:
      'openai openai-agents anthropic claude-agent-sdk google-genai langchain langchain-openai langchain-anthropic langchain-google-genai langgraph pydantic-ai agno strands-agents[openai,anthropic] instructor mcp',
    agents:
      'openai_chat openai_chat_stream openai_responses_stream openai_parse_async openai_agents openai_agents_stream openai_agents_gather openai_agents_handoff openai_agents_session openai_agents_mcp anthropic_messages anthropic_stream anthropic_tool_runner claude_agent_sdk google_genai google_genai_stream google_genai_chat langchain langchain_anthropic langchain_google langchain_stream langchain_batch langgraph pydantic_ai pydantic_ai_anthropic pydantic_ai_google pydantic_ai_stream pydantic_ai_output pydantic_ai_mcp agno agno_responses agno_anthropic agno_google instructor instructor_anthropic strands strands_anthropic',
  },
  {
    environment: 'b',
    packages:
      'llama-index-core llama-index-llms-openai llama-index-llms-anthropic llama-index-llms-google-genai haystack-ai dspy litellm smolagents[openai,litellm] mirascope[openai,anthropic,google]',
    agents:
      'llama_index llama_index_anthropic llama_index_google haystack dspy litellm litellm_stream smolagents smolagents_code mirascope',
  },
  { environment: 'c', packages: 'crewai[anthropic,tools]', agents: 'crewai crewai_anthropic' },
  { environment: 'd', packages: 'google-adk litellm', agents: 'google_adk google_adk_stream google_adk_litellm' },
  {
    environment: 'e',
    packages: 'autogen-agentchat autogen-ext[openai,anthropic]',
    agents: 'autogen autogen_anthropic autogen_team',
  },
  { environment: 'f', packages: 'semantic-kernel', agents: 'semantic_kernel' },
  { environment: 'g', packages: 'ag2[openai]', agents: 'ag2' },
  { environment: 'h', packages: 'agent-framework-core agent-framework-openai', agents: 'agent_framework' },
  { environment: 'i', packages: 'langchain langchain-openai langchain-mcp-adapters', agents: 'langchain_mcp' },
];
const NODE_PACKAGES =
  'zod openai @anthropic-ai/sdk @google/genai ai @ai-sdk/openai @ai-sdk/anthropic @ai-sdk/google @ai-sdk/mcp langchain @langchain/core @langchain/openai @langchain/anthropic @langchain/google-genai @langchain/langgraph @openai/agents @mastra/core @google/adk genkit @genkit-ai/google-genai @anthropic-ai/claude-agent-sdk llamaindex @llamaindex/openai @llamaindex/workflow @modelcontextprotocol/sdk';
const NODE_AGENTS =
  'openai_js anthropic_js google_genai_js ai_sdk ai_sdk_chat ai_sdk_anthropic ai_sdk_google ai_sdk_stream ai_sdk_mcp langchain_js langchain_js_anthropic langchain_js_google langgraph_js openai_agents_js mastra llamaindex_ts adk_js genkit claude_agent_js';
const GO_AGENTS =
  'openai_go openai_go_more anthropic_go genai_go langchaingo langchaingo_anthropic sashabaranov_go eino_go';
const RUST_AGENTS = 'async_openai async_openai_stream';
const RIG_AGENTS = 'rig rig_anthropic rig_gemini';
const JAVA_AGENTS = 'langchain4j langchain4j_anthropic langchain4j_gemini';
const JAVA_SDKS = 'openai_java anthropic_java google_genai_java';
const AT_ONCE = /_gather$|_batch$|^anthropic_messages$|^google_genai$|^pydantic_ai_google$|^ai_sdk_stream$/;

/** Current pip resolves and installs slowly; uv is used where it is. @param {{ environment: string, packages: string }} one */
async function environmentOf({ environment, packages }) {
  const folder = join(ROOT, 'py', environment);
  const program = join(folder, 'bin/python');
  if (existsSync(join(folder, 'ready')) || (process.env.AGENTS && existsSync(program))) return program;
  const hasUv = await run('uv', ['--version']).then(
    () => true,
    () => false,
  );
  const limit = { timeout: 20 * MINUTES_MS };
  await run('python3', ['-m', 'venv', folder]);
  const [installer, ...args] = hasUv
    ? ['uv', 'pip', 'install', '--python', program]
    : [program, '-m', 'pip', 'install'];
  await run(String(installer), [...args, '--quiet', ...packages.split(' ')], limit);
  await run('touch', [join(folder, 'ready')]);
  return program;
}

const node = once(async () => {
  const folder = join(ROOT, 'js');
  mkdirSync(folder, { recursive: true });
  const packages = NODE_PACKAGES.split(' ');
  if (packages.some((name) => !existsSync(join(folder, 'node_modules', name)))) {
    const quiet = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--prefix', folder];
    await run('npm', ['install', ...quiet, ...packages], { timeout: 20 * MINUTES_MS });
  }
  copyFileSync(join(HERE, 'node/support.mjs'), join(folder, 'support.mjs'));
  return join(folder, 'support.mjs');
});

const go = once(async () => {
  const folder = copied('go');
  await run('go', ['mod', 'tidy'], { cwd: folder, timeout: 9 * MINUTES_MS });
  await run('go', ['build', '-o', 'support', '.'], { cwd: folder, timeout: 20 * MINUTES_MS });
  return join(folder, 'support');
});

const rust = once(async () => {
  const folder = copied('rust');
  await run('cargo', ['build', '--quiet'], { cwd: folder, timeout: 30 * MINUTES_MS });
  return join(folder, 'target/debug');
});

const java = once(async () => {
  const folder = copied('java');
  const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'];
  await run('mvn', ['-q', ...goals], { cwd: folder, timeout: 20 * MINUTES_MS });
  return `${join(folder, 'target/classes')}:${join(folder, 'target/lib/*')}`;
});

/** @type {Agent[]} */
export const AGENTS = [
  ...PYTHON.flatMap((one) => {
    const program = once(() => environmentOf(one));
    const script = join(HERE, 'python/support.py');
    return agentsOf(one.agents, 'Python', (name) => installed(program, (python) => [python, script, name]));
  }),
  ...agentsOf(NODE_AGENTS, 'Node', (name) => installed(node, (script) => [process.execPath, script, name])),
  ...agentsOf(GO_AGENTS, 'Go', (name) => installed(go, (program) => [program, name])),
  ...agentsOf(RUST_AGENTS, 'Rust', (name) => installed(rust, (programs) => [join(programs, 'support'), name])),
  ...agentsOf(RIG_AGENTS, 'Rust', (name) => installed(rust, (programs) => [join(programs, 'rig'), name])),
  ...agentsOf(JAVA_AGENTS, 'Java', (name) => installed(java, (classes) => ['java', '-cp', classes, 'Support', name])),
  ...agentsOf(JAVA_SDKS, 'Java', (name) => installed(java, (classes) => ['java', '-cp', classes, 'Sdks', name])),
];

/** @param {string} names @param {string} runtime @param {(name: string) => ReturnType<Agent['install']>} install @returns {Agent[]} */
function agentsOf(names, runtime, install) {
  return names.split(' ').map((name) => ({
    ...{ name, runtime, install: () => install(name) },
    isAtOnce: AT_ONCE.test(name),
    isNeverSealed: runtime === 'Java',
    // Java lists the methods of a class in any order.
    ...(name.startsWith('langchain4j') && { mask: 'tool-order' }),
    saysNothing: name.startsWith('openai_go'),
    env: { SHOP: join(HERE, 'python/mcp_server.py'), IS_SANDBOX: '1' },
  }));
}

/** @param {string} language */
function copied(language) {
  const folder = join(ROOT, language);
  cpSync(join(HERE, language), folder, { recursive: true });
  return folder;
}

/** @template T @param {() => Promise<T>} make @returns {() => Promise<T>} */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

/** @template T @param {() => Promise<T>} install @param {(place: T) => string[]} command */
async function installed(install, command) {
  try {
    return { command: command(await install()) };
  } catch (error) {
    return { missing: String(error instanceof Error ? error.message : error).slice(0, 2_000) };
  }
}
