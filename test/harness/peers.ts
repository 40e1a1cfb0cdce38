import { JavascriptPeer } from './javascriptPeer';
import { type PythonPeer, pythonPeer } from './pythonPeer';

/**
 * The packages of others that tests of `npm test -- --slow` need, by the folder in `.vscode-test/python/`. Installing them is mostly
 * waiting, and is therefore done beside other suites: `node --import tsx test/harness/installPeers.ts`.
 */
export const PYTHON_PEERS = {
  sdks: [
    'openai==2.54.0',
    'anthropic==2.12.0',
    'litellm==1.106.2',
    'pydantic-ai-slim[openai,anthropic]==2.31.1',
    // litellm wants it as soon as there are tools.
    'mcp==2.3.0',
  ],
  runners: ['pytest==9.2.0', 'pytest-xdist==3.8.0', 'openai==3.57.0', 'requests==2.34.2', 'aiohttp==3.14.5'],
  runnerSuites: ['pytest==9.2.0', 'pytest-xdist==3.8.0', 'pytest-rerunfailures==16.1', 'requests==2.34.2'],
  ci: ['check-jsonschema==0.33.3', 'pre-commit==4.3.0'],
  flakestorm: ['flakestorm==2.0.0'],
  betamax: ['betamax==0.9.0', 'requests==2.32.5'],
  vcrpy: ['vcrpy==8.1.1', 'PyYAML==6.0.3'],
  'pytest-recording': ['pytest==9.2.0', 'pytest-recording==0.13.4', 'vcrpy==8.1.1'],
  vcr: ['vcrpy==8.5.0', 'requests==2.34.2'],
  yaml: ['pyyaml==6.0.3'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The same in `.vscode-test/node/`. */
export const JAVASCRIPT_PEERS = {
  runners: ['vitest@4.1.12', 'openai@6', 'undici@7.30.2'],
  jest: ['jest@30.5.2', 'openai@6'],
  playwright: ['@playwright/test@1.65.1', 'openai@6'],
  testRunners: [
    'vitest@4.1.12',
    'jest@30.5.2',
    '@pollyjs/core@6.0.6',
    '@pollyjs/adapter-node-http@6.0.6',
    '@pollyjs/persister-fs@6.0.6',
    // The last one for Node 20.
    'nock@14.0.17',
    '@copilotkit/aimock@1.43.0',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export function pythonWith(name: keyof typeof PYTHON_PEERS): Promise<PythonPeer> {
  return pythonPeer(name, PYTHON_PEERS[name]);
}

/** Rejects where they cannot be installed: the suite must say so. */
export function javascriptWith(name: keyof typeof JAVASCRIPT_PEERS): Promise<JavascriptPeer> {
  return JavascriptPeer.with(name, JAVASCRIPT_PEERS[name]);
}
