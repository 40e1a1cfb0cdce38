import { basename } from 'node:path';

/** What each runtime needs for its requests to reach the proxy, where it is not led there anyway. */
const NEEDS: readonly (readonly [program: RegExp, need: string])[] = [
  [/^python|^uv$|^poetry$|^pipenv$|^pytest$/, 'Python must not ignore its environment: leave out -I, -E and -S.'],
  [
    /^(?:node|npm|npx|pnpm|yarn|tsx|ts-node)$/,
    'Node must read NODE_OPTIONS: start it without clearing the environment.',
  ],
  [/^bun$/, "Bun's fetch reads HTTPS_PROXY; clients with sockets of their own need its `proxy` option."],
  [/^deno$/, 'Deno must be allowed to read its environment: --allow-env=HTTPS_PROXY,DENO_CERT.'],
  [
    /^java$|^mvn$|^gradle/,
    'Java reads JAVA_TOOL_OPTIONS; a client with a ProxySelector of its own needs ProxySelector.getDefault().',
  ],
  [/^go$/, 'A Go client with a Transport of its own needs Proxy: http.ProxyFromEnvironment.'],
  [/^cargo$/, 'A reqwest client must not call no_proxy(), and needs the roots of the system, not webpki-roots.'],
  [
    /^docker$|^podman$/,
    'A container has its own environment and its own loopback address: run the agent outside of it.',
  ],
  [/^sudo$/, 'sudo clears the environment: use sudo -E, or run the agent without it.'],
];

const GENERAL =
  'Its HTTP client must read HTTPS_PROXY and SSL_CERT_FILE, or the base URL of its API, such as OPENAI_BASE_URL.';

/** Why an agent may have closed connections before it sent a request; undefined where it closed none. */
export function abandonedAdvice(addresses: ReadonlySet<string>): string | undefined {
  if (addresses.size === 0) return undefined;
  const list = [...addresses].slice(0, 5).join(', ');
  return `The agent connected to ${list}, and closed the connection before a request: its client probably has a list of certificates of its own. Let it trust those in $SSL_CERT_FILE.`;
}

/** Why an agent may have asked for nothing, and what it would need, by the program that was started. */
export function silenceAdvice(command: readonly string[]): string {
  const program = basename(command[0] ?? '').replace(/\.(?:exe|cmd)$/i, '');
  const need = NEEDS.find(([pattern]) => pattern.test(program))?.[1] ?? GENERAL;
  return `It may have gone past the tape: ${need}`;
}
