import assert from 'node:assert/strict';
import { isSharedHost, telemetryAtHost, telemetryIn } from '../../../src/core/wire/telemetry';

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

function senderOf(line: string, contentType = 'application/json', start = '{}', userAgent = ''): string | undefined {
  const [method = '', url = ''] = line.split(' ');
  return telemetryIn({ method, url: new URL(url), contentType, userAgent, start: () => start })?.sender;
}

/** Requests as the SDKs make them. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  'OpenAI Agents SDK': [
    'POST https://api.openai.com/v1/traces/ingest',
    'POST https://eu.api.openai.com/v1/traces/ingest',
  ],
  LangSmith: [
    'POST https://api.smith.langchain.com/runs/batch',
    'POST https://api.smith.langchain.com/runs/multipart',
    'POST https://eu.api.smith.langchain.com/runs',
    `PATCH https://api.smith.langchain.com/runs/${ID}`,
    'GET https://api.smith.langchain.com/info',
    'POST https://api.smith.langchain.com/otel/v1/traces',
  ],
  Langfuse: [
    'POST https://cloud.langfuse.com/api/public/ingestion',
    'POST https://us.cloud.langfuse.com/api/public/otel/v1/traces',
  ],
  Logfire: ['POST https://logfire-us.pydantic.dev/v1/traces', 'GET https://logfire-api.pydantic.dev/v1/info'],
  PostHog: [
    'POST https://us.i.posthog.com/batch/',
    'POST https://eu.i.posthog.com/i/v0/e/',
    'POST https://app.posthog.com/capture/',
    'POST https://eu.posthog.com/batch/',
  ],
  Sentry: [
    'POST https://o1.ingest.sentry.io/api/1/envelope/',
    'POST https://o450.ingest.us.sentry.io/api/2/envelope/',
    'POST https://sentry.io/api/3/store/',
  ],
  CrewAI: ['POST https://telemetry.crewai.com:4319/v1/traces'],
  Agno: ['POST https://os-api.agno.com/telemetry/runs', 'POST https://api.agno.com/v1/telemetry/agent/run/create'],
  Weave: ['POST https://trace.wandb.ai/call/upsert_batch', 'POST https://trace.wandb.ai/otel/v1/traces'],
  Lunary: ['POST https://api.lunary.ai/v1/runs/ingest'],
  MLflow: ['GET https://config.mlflow-telemetry.io/3.17.2.json'],
  Composio: ['POST https://telemetry.composio.dev/v1/metrics/invocations'],
  Ragas: ['POST https://t.explodinggradients.com/'],
  Gradio: ['POST https://api.gradio.app/gradio-initiated-analytics/', 'GET https://api.gradio.app/pkg-version'],
  Traceloop: ['POST https://api.traceloop.com/v1/metrics'],
  Arize: ['POST https://otlp.arize.com/v1/traces', 'POST https://app.phoenix.arize.com/s/space/v1/traces'],
  Datadog: [
    'POST https://llmobs-intake.datadoghq.com/api/v2/llmobs',
    'POST https://http-intake.logs.us5.datadoghq.com/api/v2/logs',
    'POST https://instrumentation-telemetry-intake.datadoghq.eu/api/v2/apmtelemetry',
    'POST https://browser-intake-us5-datadoghq.com/api/v2/logs',
  ],
  Helicone: ['POST https://api.helicone.ai/v1/trace/log-python'],
  Opik: ['POST https://www.comet.com/opik/api/v1/private/spans/batch', 'POST https://stats.comet.com/notify/event/'],
  Braintrust: ['POST https://api.braintrust.dev/logs3'],
  AgentOps: ['POST https://otlp.agentops.ai/v1/traces'],
  Langtrace: ['POST https://app.langtrace.ai/api/trace'],
  'Azure Monitor': ['POST https://westeurope-5.in.applicationinsights.azure.com/v2.1/track'],
  'Claude Code': [
    'POST https://api.anthropic.com/api/event_logging/batch',
    'POST https://api.anthropic.com/api/event_logging/v2/batch',
    'POST https://api.anthropic.com/api/claude_code/metrics',
  ],
  'Gemini CLI': ['POST https://play.googleapis.com/log?format=json'],
  'Hugging Face': ['HEAD https://huggingface.co/api/telemetry/gradio'],
  LiteLLM: [
    'GET https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    'GET https://raw.githubusercontent.com/BerriAI/litellm/main/litellm/anthropic_beta_headers_config.json',
  ],
};

/** What agents ask for, of the same hosts and at like paths. */
const ASKED: readonly string[] = [
  'POST https://api.openai.com/v1/chat/completions',
  'POST https://api.openai.com/v1/responses',
  'GET https://api.openai.com/v1/traces/ingest',
  'POST https://evil-api.openai.com.example/v1/traces/ingest',
  'POST https://api.anthropic.com/v1/messages',
  'GET https://api.smith.langchain.com/commits/owner/prompt/latest',
  `GET https://api.smith.langchain.com/runs/${ID}`,
  'POST https://api.smith.langchain.com/runs/query',
  'GET https://cloud.langfuse.com/api/public/v2/prompts/greeting',
  'POST https://us.i.posthog.com/flags/?v=4',
  'POST https://us.i.posthog.com/decide/?v=3',
  'GET https://sentry.io/api/0/issues/1/',
  'POST https://trace.wandb.ai/calls/stream_query',
  'POST https://trace.wandb.ai/obj/create',
  'GET https://api.lunary.ai/v1/template-versions/latest',
  'GET https://api.gradio.app/v3/tunnel-request',
  'POST https://os-api.agno.com/agents/runs',
  'GET https://api.traceloop.com/v1/traceloop/prompts',
  'POST https://api.datadoghq.com/api/v1/query',
  'POST https://api.braintrust.dev/function/invoke',
  'GET https://raw.githubusercontent.com/owner/repository/main/README.md',
  'GET https://huggingface.co/api/models/gpt2',
  'POST https://collector.example/v1/traces',
  'POST https://api.example/api/1/envelope/',
  'GET https://otel.example:4318/v1/traces',
  'POST https://otel.example:4318/v1/other',
];

describe('telemetry', () => {
  for (const [sender, lines] of Object.entries(SENT))
    it(`of ${sender} is known by where it goes`, () => {
      for (const line of lines) assert.equal(senderOf(line), sender, line);
    });

  it('is not what an agent asks for, of the same services as well', () => {
    for (const line of ASKED) assert.equal(senderOf(line), undefined, line);
  });

  it('at any address is known by its path and its content', () => {
    const url = 'POST https://collector.example/team/v1/traces';
    assert.equal(senderOf(url, 'application/x-protobuf', '\n\u0012'), 'OpenTelemetry');
    assert.equal(senderOf(url, 'application/json', '{"resourceSpans":[]}'), 'OpenTelemetry');
    assert.equal(senderOf(url, 'application/json', '{"traces":[]}'), undefined);
    assert.equal(senderOf('POST http://localhost:4318/v1/logs'), 'OpenTelemetry');
    assert.equal(senderOf('POST https://s.example/api/1/envelope/', 'application/x-sentry-envelope'), 'Sentry');
    const traces = '{"data": [{"object": "trace", "id": "trace_1"}]}';
    assert.equal(
      senderOf('POST http://127.0.0.1:4000/v1/traces/ingest', 'application/json', traces),
      'OpenAI Agents SDK',
    );
    assert.equal(senderOf('POST http://127.0.0.1:4000/v1/traces/ingest', 'application/json', '{"data":[]}'), undefined);
  });

  it('is named without ids and without what may be a secret', () => {
    const to = (url: string, contentType = 'application/json') =>
      telemetryIn({
        method: url.includes('/runs/') ? 'PATCH' : 'POST',
        url: new URL(url),
        contentType,
        userAgent: '',
        start: () => '',
      })?.to;
    assert.equal(to(`https://api.smith.langchain.com/runs/${ID}`), 'api.smith.langchain.com/runs');
    const secret = 'https://in.example/token-5ecret/v1/traces?key=5ecret';
    assert.equal(to(secret, 'application/x-protobuf'), 'in.example/v1/traces');
    assert.equal(to('https://us.i.posthog.com/batch/?key=5ecret'), 'us.i.posthog.com/batch/');
  });

  it('gets a response that its sender accepts', () => {
    const response = (line: string, contentType: string) => {
      const [method = '', url = ''] = line.split(' ');
      return telemetryIn({ method, url: new URL(url), contentType, userAgent: '', start: () => '' })?.response;
    };
    const protobuf = { status: 200, type: 'application/x-protobuf', body: '' };
    assert.deepEqual(response('POST https://api.traceloop.com/v1/traces', 'application/x-protobuf'), protobuf);
    // posthog takes nothing but 200 for a success.
    const json = { status: 200, type: 'application/json', body: '{}' };
    assert.deepEqual(response('POST https://us.i.posthog.com/batch/', 'application/json'), json);
    // litellm then uses its own copy, and would take an empty list for prices.
    assert.equal(response(SENT.LiteLLM?.[0] ?? '', '')?.status, 404);
  });

  it('is all that goes to some hosts', () => {
    assert.equal(telemetryAtHost(new URL('https://telemetry.crewai.com:4319'))?.sender, 'CrewAI');
    assert.equal(telemetryAtHost(new URL('https://o1.ingest.sentry.io'))?.to, 'o1.ingest.sentry.io');
    assert.equal(telemetryAtHost(new URL('https://api.smith.langchain.com')), undefined);
    assert.equal(telemetryAtHost(new URL('https://api.openai.com')), undefined);
    assert.equal(isSharedHost('api.openai.com'), true);
    assert.equal(isSharedHost('us.i.posthog.com'), false);
  });

  it('and what package managers fetch, at any registry, is not recorded; what an agent asks of one is', () => {
    const sender = (line: string, userAgent: string) => senderOf(line, '', '', userAgent);
    for (const [line, userAgent] of [
      ['GET https://npm.example/@modelcontextprotocol%2fserver-everything', 'npm/10.8.2 node/v20.19.0 linux x64'],
      ['GET https://npm.example/zod/-/zod-3.25.0.tgz', 'npm/10.8.2 node/v20.19.0 linux x64'],
      ['POST https://npm.example/-/npm/v1/security/advisories/bulk', 'npm/10.8.2 node/v20.19.0 linux x64'],
      ['GET https://yarn.example/zod', 'yarn/1.22.22 npm/? node/v20.19.0 linux x64'],
      ['GET https://npm.company.example/zod', 'pnpm/9.1.0 npm/? node/v20.19.0 linux x64'],
      ['GET https://pypi.example/simple/mcp/', 'uv/0.5.1 {"installer":{"name":"uv"}}'],
      ['GET https://files.example/packages/a/mcp-1.0-py3-none-any.whl', 'pip/24.0 {"ci":null}'],
      ['GET https://crates.example/se/rd/serde', 'cargo/1.80.0'],
    ] as const)
      assert.equal(sender(line, userAgent), 'package manager', line);
    for (const [line, userAgent] of [
      ['GET https://pypi.example/pypi/mcp/json', 'python-httpx/0.27.0'],
      ['GET https://npm.example/zod/latest', 'node'],
      ['GET https://npm.example/zod/latest', ''],
      ['GET https://api.example.com/npm/10', 'Bun/1.1.0'],
    ] as const)
      assert.equal(sender(line, userAgent), undefined, line);
  });
});
