import assert from 'node:assert/strict';
import { type VariableKind, variableKind } from '../../../src/core/secrets/variableKind';

const KINDS: Readonly<Record<VariableKind, readonly string[]>> = {
  never: [
    'PATH',
    'Path',
    'XDG_SESSION_ID',
    'LESSOPEN',
    'LESS',
    'zsh_version',
    'TERM_PROGRAM',
    'WSLENV',
    'GREP_COLOURS',
  ],
  secret: [
    ...[
      'OPENAI_API_KEY',
      'APIKEY',
      'NPM_TOKEN',
      'tokens',
      'DB_PASSWORDS',
      'MYSECRET',
      'SENTRY_DSN',
      'STRIPE_WEBHOOK_URL',
    ],
    ...['CONNECTION_STRING', 'CONNECTIONSTRING', 'OPENAI_ORGANISATION', 'OPENAI_ORG_ID', 'pat', 'MY_PW', 'SSH_KEYS'],
  ],
  ordinary: [
    'MY_PUBLIC_KEY',
    'CACHE_KEY',
    'MY_VERSION',
    'APP_SHA256',
    'THEME',
    'API_BASE_URL',
    'X_COLOUR',
    'A_SESSION_ID',
  ],
  program: ['NPM_CONFIG', 'npm', 'GITHUB_X', 'AZURE_HTTP_AGENT', 'VERCEL_GIT_THING', 'CI', 'CI_TOKEN_X'],
  setting: ['NODE_OPTIONS', 'GITHUB_SHA', 'BUILD_ID', 'RUNNER_TRACKING_ID', 'npm_package_version'],
  unknown: ['AZURE_THING', 'MYPATHX', 'NPMX', 'XDG', 'SOMETHING', ''],
};

describe('The kind of an environment variable', () => {
  for (const [kind, names] of Object.entries(KINDS))
    it(`is ${kind} by its name`, () => {
      for (const name of names) assert.equal(variableKind(name), kind, name);
    });
});
