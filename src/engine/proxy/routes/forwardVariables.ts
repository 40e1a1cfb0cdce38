import { delimiter } from 'node:path';
import type { TrustFiles } from '../../network/certificates/trust';
import { preloadFile } from '../../network/preloadFile';

type Environment = Readonly<Record<string, string | undefined>>;

interface ForwardAddress {
  /** With its secret. */
  readonly proxy: string;
  readonly trust: TrustFiles;
}

/** Variables by which HTTP clients learn of a proxy. */
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Variables by which runtimes learn which certificates to trust, in place of their own. */
const BUNDLE_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
  'DENO_CERT',
  'npm_config_cafile',
  'PIP_CERT',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
  // Adds to Node's own.
  'NODE_EXTRA_CA_CERTS',
];

/**
 * The variables that lead what an agent sends, to whatever address, to the proxy. Only addresses of this machine are left
 * out, whatever the user's own `NO_PROXY` says: nothing is to go past the tape.
 */
export function forwardVariables({ proxy, trust }: ForwardAddress, environment: Environment): Record<string, string> {
  return {
    ...Object.fromEntries(PROXY_VARIABLES.map((name) => [name, proxy])),
    ...Object.fromEntries(BUNDLE_VARIABLES.map((name) => [name, trust.bundle])),
    NO_PROXY: LOOPBACK,
    no_proxy: LOOPBACK,
    NODE_USE_ENV_PROXY: '1',
    ...preloads(proxy, environment),
    JAVA_TOOL_OPTIONS: joined(' ', javaOptions(proxy, trust), environment.JAVA_TOOL_OPTIONS),
  };
}

const LOOPBACK = '127.0.0.1,localhost,::1';

/** For clients that read none of the variables: what is loaded into Node and Python before the agent. */
function preloads(proxy: string, { NODE_OPTIONS, PYTHONPATH }: Environment): Record<string, string> {
  return {
    TAPEDECK_FORWARD: proxy,
    NODE_OPTIONS: joined(' ', `--require=${quoted(preloadFile('node.cjs'))}`, NODE_OPTIONS),
    PYTHONPATH: joined(delimiter, preloadFile('python'), PYTHONPATH),
  };
}

/** Node takes a path with spaces in quotes, in which backslashes are doubled. */
function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
}

function joined(separator: string, own: string, others: string | undefined): string {
  return others ? `${own}${separator}${others}` : own;
}

function javaOptions(proxy: string, { javaStore }: TrustFiles): string {
  const { hostname, port } = new URL(proxy);
  const options = {
    'https.proxyHost': hostname,
    'https.proxyPort': port,
    'http.proxyHost': hostname,
    'http.proxyPort': port,
    'http.nonProxyHosts': 'localhost|127.*|[::1]',
    'javax.net.ssl.trustStore': javaStore,
    'javax.net.ssl.trustStoreType': 'JKS',
  };
  return Object.entries(options)
    .map(([name, value]) => (/[\s|]/.test(value) ? `"-D${name}=${value}"` : `-D${name}=${value}`))
    .join(' ');
}
