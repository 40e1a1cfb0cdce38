import { compactJson } from '../json/json';
import type { HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import { decodeBody } from '../wire/body/body';
import { headerOf } from '../wire/http';
import { writeChatMessage, writeChatTool } from '../wire/openaiChat/write';

/** Headers that are left out: those that curl or the connection set, and those that carry secrets. */
const OMITTED_HEADERS =
  /^(?::.*|host|content-length|connection|accept-encoding|transfer-encoding|user-agent|cookie|authorization|proxy-authorization|x-stainless-.*|.*(?:api[-_]?key|token|secret|signature|credential).*)$/i;
/** Query parameters that carry secrets. */
const SECRET_PARAMETER = /([?&](?:key|api[-_]?key|token|access_token|sig|signature)=)[^&]*/gi;

interface Credential {
  readonly host: RegExp;
  readonly header: string;
  readonly variable: string;
}

/** The header in which hosts expect their key, and the variable that usually holds it. */
const CREDENTIALS: readonly Credential[] = [
  { host: /anthropic/, header: 'x-api-key: ', variable: 'ANTHROPIC_API_KEY' },
  { host: /googleapis/, header: 'x-goog-api-key: ', variable: 'GEMINI_API_KEY' },
  { host: /azure|cognitiveservices/, header: 'api-key: ', variable: 'AZURE_OPENAI_API_KEY' },
  { host: /openrouter/, header: 'Authorization: Bearer ', variable: 'OPENROUTER_API_KEY' },
  { host: /mistral/, header: 'Authorization: Bearer ', variable: 'MISTRAL_API_KEY' },
  { host: /groq/, header: 'Authorization: Bearer ', variable: 'GROQ_API_KEY' },
  { host: /cohere/, header: 'Authorization: Bearer ', variable: 'COHERE_API_KEY' },
  { host: /openai/, header: 'Authorization: Bearer ', variable: 'OPENAI_API_KEY' },
];
const OTHER_CREDENTIAL: Credential = { host: /./, header: 'Authorization: Bearer ', variable: 'API_KEY' };

/**
 * The request of an interaction as a command for a POSIX shell, with variables in place of keys. Undefined where no request
 * was recorded.
 */
export function interactionToCurl({ http, request }: Interaction): string | undefined {
  if (http !== undefined) return exchangeCurl(http);
  if (request === undefined || request.partial !== undefined) return undefined;
  const body = {
    ...(request.model === undefined ? {} : { model: request.model }),
    messages: request.messages.map(writeChatMessage),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(writeChatTool) }),
    ...request.params,
  };
  return command([
    `curl "$OPENAI_BASE_URL/chat/completions"`,
    '-H "Authorization: Bearer $OPENAI_API_KEY"',
    `-H ${quoted('Content-Type: application/json')}`,
    `--data-raw ${quoted(compactJson(body))}`,
  ]);
}

function exchangeCurl(http: HttpExchange): string {
  const { method, url, requestHeaders, requestBody } = http;
  const { variable, header } = CREDENTIALS.find(({ host }) => host.test(hostOf(url))) ?? OTHER_CREDENTIAL;
  const text = decodeBody(requestBody, requestHeaders).text ?? '';
  const hadKey = requestHeaders.some(([name]) => /authorization|api[-_]?key/i.test(name)) || hostOf(url) !== '';
  const headers = requestHeaders.filter(([name]) => !OMITTED_HEADERS.test(name) && !/^content-encoding$/i.test(name));
  return command([
    `curl ${method === 'GET' || (method === 'POST' && text !== '') ? '' : `-X ${quoted(method)} `}${address(url, variable)}`,
    ...(hadKey ? [`-H "${header}$${variable}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(headerOf(requestHeaders, 'content-type') === undefined && text !== ''
      ? [`-H ${quoted('Content-Type: application/json')}`]
      : []),
    ...(text === '' ? [] : [`--data-raw ${quoted(text)}`]),
  ]);
}

/** Replaces a key in an address with a variable, which the shell only expands outside single quotes. */
function address(url: string, variable: string): string {
  const parts = url.split(SECRET_PARAMETER);
  // Every second part is the captured name of a secret parameter.
  return parts.map((part, index) => quoted(part) + (index % 2 === 1 ? `"$${variable}"` : '')).join('');
}

function hostOf(url: string): string {
  return /^\w+:\/\/([^/]*)/.exec(url)?.[1] ?? '';
}

/** Quotes a text for the shell. Empty texts between variables are left out. */
function quoted(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`;
}

function command(parts: readonly string[]): string {
  return `${parts.join(' \\\n  ')}\n`;
}
