import assert from 'node:assert/strict';
import { environmentSecrets, partsOfSecrets } from '../../../src/core/secrets/environmentSecrets';

const random = 'aB3dE5fG7hJ9kL1mN3pQ5rS7';
const hex = '3f9a1c5e7b2d4f608192a3b4c5d6e7f8';

/** Variables as they are in a terminal of VS Code on a desktop, with values made up. */
const DESKTOP: Readonly<Record<string, string>> = {
  PATH: '/users/ada/.local/bin:/users/ada/.nvm/versions/node/v22.1.0/bin:/usr/bin',
  HOME: '/users/ada',
  PWD: '/users/ada/projects/Agent2026Refunds4Customers',
  USER: 'ada',
  SHELL: '/bin/bash',
  LANG: 'en_GB.UTF-8',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  TMPDIR: '/var/folders/3k/x8_4zq1n7v9c2m5b6p0r3s7t0000gn/T/',
  DISPLAY: ':1',
  XDG_RUNTIME_DIR: '/run/user/1000',
  XDG_SESSION_ID: 'c2f9a1c5e7b2d4f6',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus,guid=3f9a1c5e7b2d4f608192a3b4c5d6e7f8',
  SSH_AUTH_SOCK: '/run/user/1000/keyring/ssh',
  SSH_CONNECTION: '203.0.113.7 51234 203.0.113.9 22',
  INVOCATION_ID: hex,
  JOURNAL_STREAM: '8:31337',
  SESSION_MANAGER: 'local/box:@/tmp/.ICE-unix/2201,unix/box:/tmp/.ICE-unix/2201',
  LS_COLORS: 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01',
  GNOME_TERMINAL_SCREEN: '/org/gnome/Terminal/screen/3f9a1c5e_7b2d_4f60_8192_a3b4c5d6e7f8',
  ITERM_SESSION_ID: 'w0t0p0:3F9A1C5E-7B2D-4F60-8192-A3B4C5D6E7F8',
  TERM_SESSION_ID: '3F9A1C5E-7B2D-4F60-8192-A3B4C5D6E7F8',
  WT_SESSION: '3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8',
  XPC_SERVICE_NAME: 'application.com.microsoft.VSCode.3f9a1c5e7b2d4f60',
  __CF_USER_TEXT_ENCODING: '0x1F5:0x0:0x0',
  VSCODE_GIT_ASKPASS_NODE: '/usr/share/code/code',
  VSCODE_GIT_IPC_HANDLE: '/run/user/1000/vscode-git-3f9a1c5e7b.sock',
  VSCODE_IPC_HOOK_CLI: '/run/user/1000/vscode-ipc-3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8.sock',
  VSCODE_CWD: '/users/ada',
  VSCODE_NLS_CONFIG: '{"userLocale":"en","osLocale":"en","resolvedLanguage":"en","pseudo":false}',
  VSCODE_CRASH_REPORTER_PROCESS_TYPE: 'extensionHost',
  TERM_PROGRAM_VERSION: '1.106.2',
  CHROME_DESKTOP: 'code.desktop',
  MACHINE_ID: hex,
};

const NPM: Readonly<Record<string, string>> = {
  npm_config_user_agent: 'npm/10.9.2 node/v22.1.0 linux x64 workspaces/false',
  npm_package_json: '/users/ada/projects/agent/package.json',
  npm_package_integrity:
    'sha512-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xYaB3dE5fG7hJ9kL1mN3pQ5rA==',
  npm_package_resolved: 'https://registry.example.org/agent/-/agent-1.0.0.tgz',
  npm_config_registry: 'https://registry.example.org/',
  npm_lifecycle_event: 'test',
  npm_config_cache: '/users/ada/.npm',
  npm_execpath: '/usr/lib/node_modules/npm/bin/npm-cli.js',
  INIT_CWD: '/users/ada/projects/agent',
  NODE_OPTIONS: '--max-old-space-size=4096',
  NVM_BIN: '/users/ada/.nvm/versions/node/v22.1.0/bin',
};

const ACTIONS: Readonly<Record<string, string>> = {
  CI: 'true',
  GITHUB_SHA: '3f9a1c5e7b2d4f608192a3b4c5d6e7f83f9a1c5e',
  GITHUB_REF: 'refs/heads/feature/Refunds2026ForCustomers',
  GITHUB_RUN_ID: '14839201823',
  GITHUB_WORKFLOW_SHA: '3f9a1c5e7b2d4f608192a3b4c5d6e7f83f9a1c5e',
  GITHUB_WORKFLOW_REF: 'ada/agent/.github/workflows/test.yml@refs/heads/main',
  GITHUB_REPOSITORY: 'ada/agent',
  GITHUB_ENV: '/builds/runner/work/_temp/_runner_file_commands/set_env_3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8',
  GITHUB_API_URL: 'https://api.github.com',
  RUNNER_TRACKING_ID: 'github_3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8',
  RUNNER_TEMP: '/builds/runner/work/_temp',
  ACTIONS_RUNTIME_URL: 'https://pipelines.actions.example.com/aB3dE5fG7hJ9kL1mN3pQ/',
  ImageOS: 'ubuntu24',
  ImageVersion: '20260101.1.0',
  JAVA_HOME_21_X64: '/usr/lib/jvm/temurin-21-jdk-amd64',
  BOOTSTRAP_HASKELL_NONINTERACTIVE: '1',
};

const PROJECT: Readonly<Record<string, string>> = {
  OPENAI_MODEL: 'gpt-4o-mini-2024-07-18',
  MODEL_NAME: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  OPENAI_BASE_URL: 'https://api.openai.com/v1',
  AWS_REGION: 'eu-central-1',
  AZURE_OPENAI_ENDPOINT: 'https://my-resource-2026.openai.azure.com',
  AWS_PROFILE: 'development',
  SERVICE: 'OrderProcessingService2',
  NODE_ENV: 'production',
  OPENAI_API_KEY_FILE: '/run/secrets/openai',
  POSTGRES_PASSWORD: 'postgres',
  FAKE_KEY: 'mock-key-of-nobody',
  SOME_TOKEN: 'true',
  PROMPT: 'You are a helpful agent of the shop, since 2026.',
  HTTP_PROXY: 'http://proxy.example.com:3128',
  NO_PROXY: 'localhost,127.0.0.1,.example.com',
  IMAGE: 'ghcr.io/ada/agent@sha256:3f9a1c5e7b2d4f608192a3b4c5d6e7f83f9a1c5e7b2d4f608192a3b4c5d6e7f8',
  TENANT: '3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8',
  SORT_KEY: 'created_at_descending',
  STRIPE_PUBLISHABLE_KEY: `pk_live_${random}`,
  OPENAI_API_KEY: 'sk-test-key',
};

describe('the secrets of an environment', () => {
  for (const [name, environment] of Object.entries({ DESKTOP, NPM, ACTIONS, PROJECT }))
    it(`are none of ${name.toLowerCase()}`, () => assert.deepEqual(environmentSecrets(environment), []));

  it('are values with the name of a secret, and random values of any name', () => {
    const secret: Readonly<Record<string, string>> = {
      OPENAI_API_KEY: `sk-proj-${random}`,
      OPENAI_API_KEY_2: 'k-123456',
      GITHUB_PAT: random,
      GITHUB_TOKEN: `ghs_${random}`,
      ACTIONS_RUNTIME_TOKEN: `a.${random}.b`,
      VSCODE_GIT_IPC_AUTH_TOKEN: hex,
      npm_config__authToken: `npm_${random}`,
      DB_PASSWORD: 'lowercasehorse',
      db_pw: 'Tr0ub4dor&3',
      ODD_PASSWORD: 'Ms5hJjG1&/CBLCuj+=%NpvYf1Ne',
      XY_7: 'PexkX2vRTdar-pdotqEc8oU9q-hCunAbC12xyZ',
      HEROKU_API_KEY: '3f9a1c5e-7b2d-4f60-8192-a3b4c5d6e7f8',
      OPENAI_ORG_ID: 'org-3f9a1c5e7b2d',
      ZILLIZ: `${random}${random}`,
      TAVILY: `tvly-dev-${random}`,
      MY_SERVICE: `${hex}00`,
      SLACK_WEBHOOK_URL: `https://hooks.example.com/services/T0${random}/B1`,
      SESSION_COOKIE: 'connect=s3cr3tvalue',
      SIGNING: '-----BEGIN PRIVATE KEY-----\nMIIEvQ',
      SERVICE_SECRET: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
    };
    const { SIGNING: _, SLACK_WEBHOOK_URL: __, ...whole } = secret;
    assert.deepEqual(environmentSecrets(whole), Object.values(whole));
    assert.deepEqual(environmentSecrets({ SLACK_WEBHOOK_URL: secret.SLACK_WEBHOOK_URL }), [`T0${random}`]);
  });

  it('are random values of variables that begin like those of programs', () => {
    for (const name of [
      'CI_TOKEN_X',
      'AGENT_X',
      'BUILD_X',
      'CODE_SEAL',
      'NODE_Q',
      'LOG_SINK',
      'SYSTEM_Z',
      'GITHUB_APP',
    ])
      for (const value of [`${random}wXyZ`, hex, `${random.slice(0, 12)}-${random.slice(12)}`])
        assert.deepEqual(environmentSecrets({ [name]: value }), [value], name);
    for (const name of ['SNAPCHAT_API_KEY', 'LAUNCH_TOKEN', 'APPLE_API_KEY', 'ONEDRIVE_CLIENT_SECRET', 'LESSON_SEAL'])
      assert.deepEqual(environmentSecrets({ [name]: random }), [random], name);
    const ordinary = {
      GIT_COMMIT_X: `${hex}9a1c5e7b`,
      BUILD_VCS: `${hex}${hex}`,
      RUNNER_TRACKING_ID: `github_${random}`,
      CODESPACE_NAME: `fluffy-waffle-${random}`,
      BUILD_ID: random,
      CI_PIPELINE_ID: random,
    };
    assert.deepEqual(environmentSecrets(ordinary), []);
  });

  it('are parts of values: of URLs, connection strings, and JSON', () => {
    const parts = (value: string, name = 'ANYTHING'): string[] => environmentSecrets({ [name]: value });
    assert.deepEqual(parts('postgres://app:correct%40horse@db.example.com/app', 'DATABASE_URL'), [
      'correct%40horse',
      'correct@horse',
    ]);
    assert.deepEqual(parts('redis://:lowercasehorse@cache:6379/0', 'REDIS_URL'), ['lowercasehorse']);
    assert.deepEqual(parts(`https://${hex}@o1.ingest.example.com/2`, 'SENTRY_DSN'), [hex]);
    assert.deepEqual(parts(`https://acct.example.com/c?sv=2022&sig=${random}%3D`, 'BLOB_URL'), [
      `${random}%3D`,
      `${random}=`,
    ]);
    const account = `${random}${random}${random}${random}==`;
    assert.deepEqual(
      parts(
        `DefaultEndpointsProtocol=https;AccountName=ada;AccountKey=${account};EndpointSuffix=core.windows.net`,
        'AZURE_STORAGE_CONNECTION_STRING',
      ),
      [account],
    );
    assert.deepEqual(parts('Server=tcp:db.example.com;User ID=app;Password=lowercasehorse;Encrypt=yes'), [
      'lowercasehorse',
    ]);
    assert.deepEqual(parts('host=db user=app password=lowercasehorse dbname=app'), ['lowercasehorse']);
    assert.deepEqual(
      parts(
        JSON.stringify({ type: 'service_account', project: 'shop-2026', private_key_id: hex, client_id: '10593847' }),
        'GOOGLE_CREDENTIALS',
      ),
      [hex],
    );
  });

  it('of a secret storage are whole values and their parts', () => {
    const url = 'postgres://app:lowercasehorse@db/app';
    assert.deepEqual(partsOfSecrets([url, ' k-123456\n']), [url, 'lowercasehorse', ' k-123456\n', 'k-123456']);
  });
});
