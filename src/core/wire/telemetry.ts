/**
 * What goes out beside what the agent asks for: what an SDK reports about its work, with new ids and times in every run, and what package
 * managers such as npx and uvx fetch before it starts.
 */
export interface Telemetry {
  /** Who sends it, for messages. */
  readonly sender: string;
  /** Host and path, without ids, for messages. */
  readonly to: string;
}

export interface TelemetryRequest extends Telemetry {
  /** What its sender accepts as one. */
  readonly response: QuietResponse;
}

export interface QuietResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A request, as far as it shows whether it is telemetry. */
export interface PossibleTelemetry {
  readonly method: string;
  readonly url: URL;
  readonly contentType: string;
  /** The header `User-Agent`; empty if there is none. */
  readonly userAgent: string;
  /** Reads the beginning of the body. */
  start(): string;
}

/** Where telemetry goes. */
interface Sink {
  readonly sender: string;
  readonly hosts: RegExp;
  /** Method and path; absent where nothing but telemetry goes to these hosts. */
  readonly requests?: RegExp;
  /** `{}` by default. */
  readonly response?: QuietResponse;
  /** Agents call these hosts for other things as well, so that to name one of them says nothing of its telemetry. */
  readonly isShared?: true;
}

const NOTHING: QuietResponse = { status: 200, type: 'application/json', body: '{}' };
/** For files that a library has a copy of, which it uses where it does not get a newer one. */
const NOT_FOUND: QuietResponse = { status: 404, type: 'application/json', body: '{}' };

/**
 * The sinks that SDKs of agents post to, as their source has them. Only what is sent for observers is here: prompts, feature flags,
 * and data sets that an agent fetches from the same services are its own requests.
 */
const SINKS: readonly Sink[] = [
  {
    // Python `agents/tracing/processors.py`, JavaScript `openaiTracingExporter`.
    sender: 'OpenAI Agents SDK',
    hosts: /^(?:(?:eu|us)\.)?api\.openai\.com$/,
    requests: /^POST \/v1\/traces\/ingest$/,
    isShared: true,
  },
  {
    // `client.py` and `client.ts` of langsmith; what the server is able to is asked before the first batch.
    sender: 'LangSmith',
    hosts: /^(?:[a-z0-9-]+\.)?api\.smith\.langchain\.com$/,
    requests:
      /^(?:GET \/info|POST \/runs(?:\/batch|\/multipart)?|PATCH \/runs\/[^/]+|POST \/otel\/v1\/(?:traces|metrics|logs))$/,
    // A server without it makes the SDK print a warning.
    response: { ...NOTHING, body: '{"instance_flags":{"zstd_compression_enabled":true}}' },
  },
  {
    // `request.py` of langfuse 2, and the exporter of later versions.
    sender: 'Langfuse',
    hosts: /^(?:[a-z0-9-]+\.)?cloud\.langfuse\.com$/,
    requests: /^POST \/api\/public\/(?:ingestion|otel\/v1\/(?:traces|metrics|logs))$/,
  },
  {
    // `_internal/config.py` of logfire, which asks what a token is for, and prints it.
    sender: 'Logfire',
    hosts: /^logfire-(?:api|us|eu)\.pydantic\.dev$/,
    requests: /^(?:GET \/v1\/info|POST \/v1\/(?:traces|metrics|logs))$/,
    response: { ...NOTHING, body: '{"project_name":"","project_url":""}' },
  },
  {
    // `request.py` of posthog, and posthog-node; its feature flags are no telemetry.
    sender: 'PostHog',
    hosts: /^(?:(?:us|eu)(?:\.i)?|app)\.posthog\.com$/,
    requests: /^POST \/(?:batch|capture|engage|track|e|i\/v0\/e|i\/v0\/ai\/batch|i\/v1\/logs)\/?$/,
  },
  { sender: 'Sentry', hosts: /^[a-z0-9-]+\.ingest(?:\.[a-z]{2})?\.sentry\.io$/ },
  { sender: 'Sentry', hosts: /^sentry\.io$/, requests: /^POST \/api\/\d+\/(?:envelope|store)\/$/ },
  // `telemetry/constants.py` of crewai.
  { sender: 'CrewAI', hosts: /^telemetry\.crewai\.com$/ },
  // `api/routes.py` of agno.
  { sender: 'Agno', hosts: /^(?:os-)?api\.agno\.com$/, requests: /^POST \/(?:v1\/)?telemetry\// },
  {
    // `sdk/tracing`, `metrics`, and `logging` of traceloop-sdk.
    sender: 'Traceloop',
    hosts: /^api\.traceloop\.com$/,
    requests: /^POST \/v1\/(?:traces|metrics|logs)$/,
  },
  // Arize and Phoenix Cloud.
  {
    sender: 'Arize',
    hosts: /^(?:[a-z0-9-]+\.)+arize\.com$/,
    requests: /^POST (?:\/s\/[^/]+)?\/v1\/(?:traces|metrics|logs)$/,
  },
  // `settings` and writers of ddtrace: the hosts that take data, of every site.
  {
    sender: 'Datadog',
    hosts:
      /^(?:llmobs-intake|event-platform-intake|instrumentation-telemetry-intake|(?:public-trace-)?http-intake\.logs|trace\.agent|otlp)\.(?:[a-z]{2}\d\.)?(?:datadoghq\.(?:com|eu)|ddog-gov\.com)$/,
  },
  { sender: 'Datadog', hosts: /^(?:[a-z]+\.)?browser-intake-(?:[a-z]{2}\d-)?datadoghq\.(?:com|eu)$/ },
  // `helicone_async`.
  { sender: 'Helicone', hosts: /^(?:eu\.)?api\.helicone\.ai$/, requests: /^POST \/v1\/trace\/log/ },
  {
    sender: 'Opik',
    hosts: /^www\.comet\.com$/,
    requests:
      /^(?:POST \/opik\/api\/v1\/private\/(?:traces|spans)(?:\/batch)?|PATCH \/opik\/api\/v1\/private\/(?:traces|spans)\/[^/]+)$/,
  },
  { sender: 'Opik', hosts: /^stats\.comet\.com$/ },
  // `logger.py` of braintrust.
  {
    sender: 'Braintrust',
    hosts: /^api\.braintrust\.dev$/,
    requests: /^POST \/(?:logs3|otel\/v1\/(?:traces|metrics|logs))$/,
  },
  {
    // `resources/calls.py` of weave's client; objects, whose digests it reads, are its own requests.
    sender: 'Weave',
    hosts: /^trace\.wandb\.ai$/,
    requests: /^POST \/(?:call\/(?:start|end|upsert_batch)|otel\/v1\/traces)$/,
  },
  // `consumer.py` of lunary.
  { sender: 'Lunary', hosts: /^api\.lunary\.ai$/, requests: /^POST \/v1\/runs\/ingest$/ },
  // `telemetry/constant.py` of mlflow, which reports nothing where it gets no settings.
  { sender: 'MLflow', hosts: /^(?:[a-z-]+\.)?mlflow-telemetry\.io$/, response: NOT_FOUND },
  // `core/models/_telemetry.py` of composio, `_analytics.py` of ragas.
  { sender: 'Composio', hosts: /^telemetry\.composio\.dev$/ },
  { sender: 'Ragas', hosts: /^t\.explodinggradients\.com$/ },
  {
    // `analytics.py` of gradio.
    sender: 'Gradio',
    hosts: /^api\.gradio\.app$/,
    requests: /^(?:POST \/gradio-[a-z-]+\/|GET \/pkg-version)$/,
  },
  { sender: 'AgentOps', hosts: /^otlp\.agentops\.ai$/ },
  { sender: 'Langtrace', hosts: /^(?:app\.)?langtrace\.ai$/, requests: /^POST \/api\/trace$/ },
  {
    sender: 'Azure Monitor',
    hosts: /^(?:[a-z0-9-]+\.in\.applicationinsights\.azure\.com|dc\.services\.visualstudio\.com)$/,
    requests: /^POST \/v2(?:\.\d)?\/track$/,
  },
  {
    sender: 'Claude Code',
    hosts: /^api\.anthropic\.com$/,
    requests: /^POST \/api\/(?:event_logging\/(?:v\d+\/)?batch|claude_code\/metrics)$/,
    isShared: true,
  },
  { sender: 'Gemini CLI', hosts: /^play\.googleapis\.com$/, requests: /^POST \/log$/ },
  // `utils/_telemetry.py` of huggingface_hub.
  { sender: 'Hugging Face', hosts: /^huggingface\.co$/, requests: /^HEAD \/api\/telemetry\//, isShared: true },
  {
    // Prices and settings, which litellm fetches when it is imported.
    sender: 'LiteLLM',
    hosts: /^raw\.githubusercontent\.com$/,
    requests:
      /^GET \/BerriAI\/litellm\/[^/]+\/(?:litellm\/)?(?:model_prices_and_context_window(?:_backup)?|anthropic_beta_headers_config)\.json$/,
    response: NOT_FOUND,
    isShared: true,
  },
];

/** The telemetry that a request carries; undefined for one that is none. */
export function telemetryIn(request: PossibleTelemetry): TelemetryRequest | undefined {
  const { method, url } = request;
  const line = `${method.toUpperCase()} ${url.pathname}`;
  const sink = SINKS.find(({ hosts, requests }) => hosts.test(url.hostname) && requests?.test(line) !== false);
  const own: Sink | OwnSink | undefined =
    sink ?? OWN_SINKS.find(({ requests, isSure }) => requests.test(line) && isSure(request));
  if (own === undefined) return undefined;
  const [path = ''] = sink === undefined ? (OWN_PATH.exec(url.pathname) ?? []) : [url.pathname.replace(ID, '')];
  const response = isProtobuf(request) ? EMPTY_PROTOBUF : (own.response ?? NOTHING);
  return { sender: own.sender, to: `${url.host}${path}`, response };
}

const ID = /\/[0-9a-f-]{20,}$/;
/** The end of a path on a server of the user's own, where the rest may be a secret. */
const OWN_PATH = /\/v1\/[a-z]+$|\/envelope\/$|\/traces\/ingest$/;

/** The telemetry that any connection to a host is for; undefined where other things may go to it. */
export function telemetryAtHost({ hostname, host }: URL): Telemetry | undefined {
  const sink = SINKS.find(({ hosts, requests }) => requests === undefined && hosts.test(hostname));
  return sink && { sender: sink.sender, to: host };
}

/** Whether agents call a host for other things than its telemetry as a matter of course. */
export function isSharedHost(host: string): boolean {
  return SINKS.some(({ hosts, isShared }) => isShared && hosts.test(host));
}

const OTLP_PORT = '4318';
const PROTOBUF = 'application/x-protobuf';
/** In this form, nothing at all is an empty message. */
const EMPTY_PROTOBUF: QuietResponse = { status: 200, type: PROTOBUF, body: '' };

interface OwnSink {
  readonly sender: string;
  readonly requests: RegExp;
  /** Whether the content leaves no doubt. */
  isSure(request: PossibleTelemetry): boolean;
  /** `{}` by default. */
  readonly response?: QuietResponse;
}

/** What goes to servers of the user's own, at any address. */
const OWN_SINKS: readonly OwnSink[] = [
  {
    // OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
    sender: 'OpenTelemetry',
    requests: /^POST \/(?:.+\/)?v1\/(?:traces|metrics|logs)$/,
    isSure: (request) =>
      request.url.port === OTLP_PORT ||
      isProtobuf(request) ||
      /^\s*\{\s*"resource(?:Spans|Metrics|Logs)"/.test(request.start()),
  },
  {
    // https://develop.sentry.dev/sdk/data-model/envelopes/
    sender: 'Sentry',
    requests: /^POST \/(?:.+\/)?api\/\d+\/envelope\/$/,
    isSure: ({ contentType }) => contentType.startsWith('application/x-sentry-envelope'),
  },
  {
    sender: 'OpenAI Agents SDK',
    requests: /^POST \/(?:.+\/)?traces\/ingest$/,
    isSure: ({ start }) => /^\s*\{\s*"data"\s*:\s*\[\s*\{\s*"object"\s*:\s*"trace/.test(start()),
  },
  {
    // npm and npx, pnpm, yarn, pip, pipx, uv and uvx, poetry, cargo: at their public registries, or at a mirror.
    sender: 'package manager',
    requests: /^(?:GET|HEAD|POST|PUT) /,
    isSure: ({ userAgent }) => /^(?:npm|pnpm|yarn|pip|uv|poetry|cargo)\/\d/.test(userAgent),
    response: NOT_FOUND,
  },
];

function isProtobuf({ contentType }: PossibleTelemetry): boolean {
  return contentType.startsWith(PROTOBUF);
}
