// What traces the agents, and how each is brought onto this machine: into a folder for temporary files, once.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const ROOT = join(tmpdir(), 'tapedeck-traces');
const MINUTES_MS = 60_000;

/**
 * @typedef {'tools' | 'tool schemas' | 'cached' | 'reasoning' | 'finish reason' | 'params' | 'request model' | 'response model' | 'content' | 'tree' | 'tokens of streams' | 'some cached'} Gap
 * @typedef {{
 *   name: string,
 *   install: () => Promise<string[]>,
 *   env?: Record<string, string>,
 *   format: string,
 *   lacks?: readonly Gap[],
 *   tool?: 'traced',
 *   calls?: number,
 * }} Producer `lacks`: what the producer does not write; the comparison insists that nothing is read there. `tool`: the call of the tool is
 *   a span of its own. `calls`: how many calls of the model there are, if not the agent's four.
 */

/** One environment of Python for versions that go together. @param {string} name @param {string[]} packages @param {string[]} [options] */
function python(name, packages, options = []) {
  return once(async () => {
    const program = join(ROOT, name, 'bin/python');
    const mark = join(ROOT, name, 'installed');
    if (existsSync(mark)) return program;
    mkdirSync(ROOT, { recursive: true });
    await run('python3', ['-m', 'venv', join(ROOT, name)]);
    await run(program, ['-m', 'pip', 'install', '--quiet', ...options, ...packages], { timeout: 9 * MINUTES_MS });
    mkdirSync(mark);
    return program;
  });
}

/** @param {string} name @param {string[]} packages */
function node(name, packages) {
  return once(async () => {
    const folder = join(ROOT, name);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, 'node_modules/ai')))
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], {
        timeout: 5 * MINUTES_MS,
      });
    copyFileSync(join(HERE, 'node/vercel.mjs'), join(folder, 'vercel.mjs'));
    return folder;
  });
}

const OTLP = 'opentelemetry-exporter-otlp-proto-http';
const OTEL_NODE = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/otlp-transformer',
  'zod',
];
const current = python('current', [
  OTLP,
  'openinference-instrumentation-openai',
  'logfire',
  'langfuse',
  'langsmith',
  'openai',
  'openai-agents',
  'httpx',
]);
const semconv = python('semconv', [
  OTLP,
  'opentelemetry-instrumentation-openai-v2==2.4b0',
  'opentelemetry-util-genai==1.0b0',
  'openai',
  'httpx',
]);
const in2025 = ['opentelemetry-sdk==1.34.1', `${OTLP}==1.34.1`, 'openai<2', 'httpx'];
const events = python('events', [
  'opentelemetry-instrumentation-openai-v2==2.1b0',
  'opentelemetry-instrumentation==0.55b1',
  ...in2025,
]);
const openllmetry = python('openllmetry', ['opentelemetry-instrumentation-openai==0.40.14', ...in2025]);
// The resolver of today takes hours for the many instrumentations that this depends on.
const traceloop = python('traceloop', ['traceloop-sdk', 'openai', 'httpx'], ['--use-deprecated=legacy-resolver']);
const langfuse2 = python('langfuse2', ['langfuse<3', 'openai<2', 'httpx<0.28']);
const ai5 = node('ai5', ['ai@5', '@ai-sdk/openai-compatible@1', ...OTEL_NODE]);
const ai7 = node('ai7', ['ai@7', '@ai-sdk/openai-compatible', '@ai-sdk/otel', ...OTEL_NODE]);

const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
const LATEST = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' };
/** OpenTelemetry's own instrumentation writes neither definitions of tools nor what was cached. @type {readonly Gap[]} */
const OTEL_LACKS = ['tools', 'cached', 'reasoning'];

/** @param {() => Promise<string>} environment @param {string} script */
const script = (environment, script) => async () => [await environment(), join(HERE, 'python', script)];

/** @type {Producer[]} */
export const PRODUCERS = [
  {
    name: 'opentelemetry-instrumentation-openai-v2, attributes',
    install: script(semconv, 'otel_v2.py'),
    env: { ...LATEST, [CAPTURE]: 'span_only' },
    format: 'otlp',
    lacks: OTEL_LACKS,
  },
  {
    name: 'opentelemetry-instrumentation-openai-v2, one event',
    install: script(semconv, 'otel_v2.py'),
    env: { ...LATEST, [CAPTURE]: 'event_only', OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT: 'true' },
    format: 'otlp',
    lacks: OTEL_LACKS,
  },
  {
    name: 'opentelemetry-instrumentation-openai-v2, events',
    install: script(events, 'otel_v2.py'),
    env: { [CAPTURE]: 'true' },
    format: 'otlp',
    lacks: OTEL_LACKS,
  },
  {
    name: 'opentelemetry-instrumentation-openai-v2, no content',
    install: script(semconv, 'otel_v2.py'),
    format: 'otlp',
    lacks: [...OTEL_LACKS, 'content'],
  },
  { name: 'openinference', install: script(current, 'phoenix.py'), format: 'otlp', tool: 'traced' },
  {
    name: 'openinference, console',
    install: script(current, 'phoenix.py'),
    env: { CONSOLE: '1' },
    format: 'otlp',
    tool: 'traced',
  },
  { name: 'logfire', install: script(current, 'logfire_sdk.py'), format: 'otlp' },
  {
    name: 'langfuse, OTLP',
    install: script(current, 'langfuse_sdk.py'),
    format: 'otlp',
    tool: 'traced',
    lacks: ['request model', 'finish reason'],
  },
  {
    name: 'langfuse, API',
    install: script(langfuse2, 'langfuse_api.py'),
    format: 'langfuse',
    lacks: ['request model', 'finish reason', 'tree'],
  },
  { name: 'langsmith', install: script(current, 'langsmith_sdk.py'), format: 'langsmith', tool: 'traced' },
  {
    name: 'langsmith, OTLP',
    install: script(current, 'langsmith_sdk.py'),
    env: { LANGSMITH_OTEL_ENABLED: 'true', LANGSMITH_OTEL_ONLY: 'true' },
    format: 'otlp',
    tool: 'traced',
  },
  {
    name: 'openai-agents, Chat Completions',
    install: script(current, 'openai_agents.py'),
    format: 'openai-agents',
    tool: 'traced',
    calls: 2,
    lacks: ['tool schemas', 'finish reason', 'response model'],
  },
  {
    name: 'openai-agents, Responses',
    install: script(current, 'openai_agents.py'),
    env: { API: 'responses' },
    format: 'openai-agents',
    tool: 'traced',
    calls: 2,
    lacks: ['content', 'tool schemas', 'params', 'finish reason', 'request model', 'response model'],
  },
  { name: 'traceloop-sdk', install: script(traceloop, 'traceloop_sdk.py'), format: 'otlp', tool: 'traced' },
  {
    name: 'openllmetry 0.40',
    install: script(openllmetry, 'openllmetry.py'),
    format: 'otlp',
    lacks: ['reasoning', 'tokens of streams'],
  },
  {
    name: 'ai 5',
    install: async () => ['node', join(await ai5(), 'vercel.mjs')],
    format: 'otlp',
    tool: 'traced',
    lacks: ['some cached', 'reasoning'],
  },
  {
    name: 'ai 7',
    install: async () => ['node', join(await ai7(), 'vercel.mjs')],
    format: 'otlp',
    tool: 'traced',
    lacks: ['reasoning'],
  },
];

/** @template T @param {() => Promise<T>} make @returns {() => Promise<T>} */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
