import { basename } from 'node:path';
import { listed } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import type { ReachedAddress } from '../process/connectionWatch';
import type { ProxyMode } from './session/sessionOptions';

/** What each runtime needs for its requests to reach the proxy, where it is not led there anyway. */
const NEEDS: readonly (readonly [program: RegExp, need: string])[] = [
  [
    /^python|^uv$|^poetry$|^pipenv$|^pytest$/,
    message('Python must not ignore its environment: leave out -I, -E and -S.'),
  ],
  [
    /^(?:node|npm|npx|pnpm|yarn|tsx|ts-node)$/,
    message('Node must read NODE_OPTIONS: start it without clearing the environment.'),
  ],
  [/^bun$/, message("Bun's fetch reads HTTPS_PROXY; clients with sockets of their own need its `proxy` option.")],
  [/^deno$/, message('Deno must be allowed to read its environment: --allow-env=HTTPS_PROXY,DENO_CERT.')],
  [
    /^java$|^mvn$|^gradle/,
    message('Java reads JAVA_TOOL_OPTIONS; a client with a ProxySelector of its own needs ProxySelector.getDefault().'),
  ],
  [/^go$/, message('A Go client with a Transport of its own needs Proxy: http.ProxyFromEnvironment.')],
  [
    /^cargo$/,
    message('A reqwest client must not call no_proxy(), and needs the roots of the system, not webpki-roots.'),
  ],
  [
    /^docker$|^podman$/,
    message('A container has its own environment and its own loopback address: run the agent outside of it.'),
  ],
  [/^sudo$/, message('sudo clears the environment: use sudo -E, or run the agent without it.')],
];

const GENERAL = message(
  'Its HTTP client must read HTTPS_PROXY and SSL_CERT_FILE, or the base URL of its API, such as OPENAI_BASE_URL.',
);

/** So many addresses are named. */
const MOST_REACHED = 5;

/** `closed`: by the client, as one does that distrusts the certificate. `no-secret`: refused by the proxy. */
export type AbandonedReason = 'closed' | 'no-secret';

/** Connections that carried no request, by their address. */
export type Abandoned = ReadonlyMap<string, AbandonedReason>;

/** Why connections of an agent carried no request; undefined if there are none. */
export function abandonedAdvice(abandoned: Abandoned): string | undefined {
  const list = (wanted: AbandonedReason): string =>
    [...abandoned]
      .flatMap(([address, reason]) => (reason === wanted ? [address] : []))
      .slice(0, 5)
      .join(', ');
  const closed = list('closed');
  const refused = list('no-secret');
  const sentences = [
    closed &&
      t(
        'The agent connected to {0}, and closed the connection before a request: its client probably has a list of certificates of its own. Let it trust those in $SSL_CERT_FILE.',
        closed,
      ),
    refused &&
      t(
        'A connection to {0} was refused, because the client did not give the secret that is in $HTTPS_PROXY. Java gives none by itself, and is known without it only on Linux: set an Authenticator in the code, or the base URL of the API to $OPENAI_BASE_URL or the like.',
        refused,
      ),
  ].filter((one) => one !== '');
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Which public addresses an agent reached past the proxy; undefined if none were seen. */
export function reachedText(mode: ProxyMode, reached: readonly ReachedAddress[] = []): string | undefined {
  if (reached.length === 0) return undefined;
  const list = listed(reached.slice(0, MOST_REACHED).map(({ address, program }) => `${address} (${program})`));
  return mode === 'replay'
    ? t('The agent reached {0} past the tape, so this replay was not offline.', list)
    : t('The agent reached {0} past the tape: what was said there is not recorded.', list);
}

/** Why an agent may have asked for nothing, and what it would need, by the program that was started. */
export function silenceAdvice(command: readonly string[]): string {
  const program = basename(command[0] ?? '').replace(/\.(?:exe|cmd)$/i, '');
  const need = NEEDS.find(([pattern]) => pattern.test(program))?.[1] ?? GENERAL;
  return t('It may have gone past the tape: {0}', need);
}
