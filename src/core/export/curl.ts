import { compactJson } from '../json/json';
import type { HttpExchange, HttpHeader } from '../model/http';
import type { Interaction } from '../model/interaction';
import { quoteForShell } from '../text/shellWord';
import { decodeContent } from '../wire/body/body';
import { headerOf } from '../wire/http';
import { writeChatMessage, writeChatTool } from '../wire/openaiChat/write';

/** Headers that are left out: those that curl or the connection set, and those that carry secrets. */
const OMITTED_HEADERS =
  /^(?:host|content-length|content-encoding|connection|accept-encoding|transfer-encoding|user-agent|cookie|authorization|proxy-authorization|x-stainless-.*|.*(?:api[-_]?key|token|secret|signature|credential|password).*)$/i;
/** Query parameters that carry secrets. */
const SECRET_PARAMETER =
  /([?&](?:key|code|sig|signature|[^=&]*(?:api[-_]?key|subscription[-_]key|token|secret|password|-signature|-credential))=)[^&]*/gi;
/** RFC 9110, section 5.6.2. Anything else in a header's name would be an option of curl, such as `@file`. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** Characters that a terminal acts on when they are pasted. Line feeds are safe in quotes. */
const TERMINAL_CONTROLS = /(?!\n)\p{Cc}/gu;

interface Credential {
  readonly header: string;
  readonly variable: string;
}

/** The header in which the hosts of providers expect their key, and the variable that usually holds it. */
const CREDENTIALS: ReadonlyMap<string, Credential> = new Map([
  ['api.anthropic.com', { header: 'x-api-key: ', variable: 'ANTHROPIC_API_KEY' }],
  ['generativelanguage.googleapis.com', { header: 'x-goog-api-key: ', variable: 'GEMINI_API_KEY' }],
  ['api.openai.com', bearer('OPENAI_API_KEY')],
  ['openrouter.ai', bearer('OPENROUTER_API_KEY')],
  ['api.mistral.ai', bearer('MISTRAL_API_KEY')],
  ['api.groq.com', bearer('GROQ_API_KEY')],
  ['api.cohere.com', bearer('COHERE_API_KEY')],
  ['api.cohere.ai', bearer('COHERE_API_KEY')],
]);
/** Azure gives each resource a name below one of these, and answers at all of them. */
const AZURE_HOST = /^[a-z0-9-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/;

function bearer(variable: string): Credential {
  return { header: 'Authorization: Bearer ', variable };
}

/**
 * The request of an interaction as a command for a POSIX shell, with variables in place of keys. Undefined if no request
 * was recorded, or none that curl could send over HTTP.
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
  const url = `"\${OPENAI_BASE_URL:?}/chat/completions"`;
  return command({ url, credential: bearer('OPENAI_API_KEY'), headers: [JSON_CONTENT], body: compactJson(body) });
}

const JSON_CONTENT: HttpHeader = ['Content-Type', 'application/json'];

function exchangeCurl({ method, url, requestHeaders, requestBody }: HttpExchange): string | undefined {
  const target = targetOf(url);
  if (target === undefined) return undefined;
  const body = decodeContent(requestBody, requestHeaders).text ?? '';
  const kept = requestHeaders.filter(([name]) => TOKEN.test(name) && !OMITTED_HEADERS.test(name));
  const isJson = headerOf(requestHeaders, 'content-type') === undefined && body !== '';
  const hadKey = requestHeaders.some(([name]) => /authorization|api[-_]?key/i.test(name));
  return command({
    method: TOKEN.test(method) ? method : undefined,
    url: target.written,
    ...((hadKey || target.isProvider) && { credential: target.credential }),
    headers: isJson ? [JSON_CONTENT, ...kept] : kept,
    body,
  });
}

interface Target {
  /** The address as a word for the shell. */
  readonly written: string;
  readonly credential: Credential;
  readonly isProvider: boolean;
}

/** Undefined for what is no address of HTTP. User names and passwords in an address are left out. */
function targetOf(url: string): Target | undefined {
  const isPath = url.startsWith('/');
  // The host of a path is only needed to parse it.
  const text = isPath ? `http://host${url}` : url;
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, host, pathname, search } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const provider = protocol === 'https:' && host === hostname ? providerCredential(hostname) : undefined;
  const credential = provider ?? bearer(isPath ? 'API_KEY' : keyVariableOf(host));
  const address = withoutSecrets(`${isPath ? '' : `${protocol}//${host}`}${pathname}${search}`, credential.variable);
  return {
    written: isPath ? `"\${BASE_URL:?}"${address}` : address,
    credential,
    isProvider: provider !== undefined,
  };
}

function providerCredential(hostname: string): Credential | undefined {
  if (AZURE_HOST.test(hostname)) return { header: 'api-key: ', variable: 'AZURE_OPENAI_API_KEY' };
  return CREDENTIALS.get(hostname);
}

/** A variable that is named after the host, so that nobody's environment has it by chance. */
function keyVariableOf(host: string): string {
  return `KEY_FOR_${host.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** Replaces secrets in an address with a variable, which the shell only expands outside single quotes. */
function withoutSecrets(url: string, variable: string): string {
  const parts = url.split(SECRET_PARAMETER);
  // Every second part is the captured name of a secret parameter.
  return parts.map((part, index) => quoted(part) + (index % 2 === 1 ? `"$${variable}"` : '')).join('');
}

interface CurlCommand {
  /** Absent for what curl chooses by itself: POST where there is a body, else GET. */
  readonly method?: string | undefined;
  /** As a word for the shell. */
  readonly url: string;
  readonly credential?: Credential;
  readonly headers: readonly HttpHeader[];
  readonly body: string;
}

function command({ method, url, credential, headers, body }: CurlCommand): string {
  const isUsual = method === undefined || method === (body === '' ? 'GET' : 'POST');
  const isPasted = body.search(TERMINAL_CONTROLS) === -1;
  const parts = [
    // Brackets and braces in an address are no patterns, and one that begins with `-` or `@` is no option or file.
    'curl --globoff',
    ...(isUsual ? [] : [method === 'HEAD' ? '--head' : `--request ${quoted(method)}`]),
    `--url ${url}`,
    ...(credential === undefined ? [] : [`-H "${credential.header}$${credential.variable}"`]),
    ...headers.map((header) => `-H ${quoted(headerLine(header))}`),
    ...(body === '' ? [] : [isPasted ? `--data-raw ${quoted(body)}` : '--data-binary @-']),
  ];
  const curl = `${parts.join(' \\\n  ')}\n`;
  return isPasted ? curl : `printf ${quoted(printfFormat(body))} | ${curl}`;
}

/** A header with neither name nor value on further lines. curl sends one without a value only when `;` ends it. */
function headerLine([name, value]: HttpHeader): string {
  const text = value.replace(TERMINAL_CONTROLS, ' ').replaceAll('\n', ' ').trim();
  return text === '' ? `${name};` : `${name}: ${text}`;
}

/** The text as a format of `printf`, in which each byte of a control character is an escape. */
function printfFormat(text: string): string {
  return text.replaceAll('%', '%%').replaceAll('\\', '\\\\').replace(TERMINAL_CONTROLS, octal).replace(/^-/, octal);
}

function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Empty texts between variables are left out. */
function quoted(text: string): string {
  return text === '' ? '' : quoteForShell(text);
}
