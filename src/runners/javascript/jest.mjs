// `import { tapedeck } from '@tapedeck/cli/jest'`, around the configuration of Jest.
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The configuration, with a tape for each test: recorded once, and replayed without a network.
 * @param {Record<string, any>} config
 */
export function tapedeck(config = {}) {
  const { testEnvironment = 'node', testEnvironmentOptions, rootDir = process.cwd() } = config;
  const environment = environmentFile(testEnvironment.replace('<rootDir>', rootDir), rootDir);
  return {
    ...config,
    // Where there is one already, each worker starts a server of its own.
    ...(config.globalSetup === undefined &&
      config.globalTeardown === undefined && {
        globalSetup: file('./jestSetup.mjs'),
        globalTeardown: file('./jestTeardown.mjs'),
      }),
    testEnvironment: file('./jestEnvironment.mjs'),
    testEnvironmentOptions: { ...testEnvironmentOptions, tapedeck: { environment } },
  };
}

/** Who depends on `jest-environment-node`. */
const DEPENDENTS = ['jest', 'jest-cli', 'jest-config'];

function environmentFile(name, root) {
  if (isAbsolute(name)) return name;
  let require = createRequire(join(root, 'package.json'));
  for (const dependent of [undefined, ...DEPENDENTS]) {
    if (dependent !== undefined) require = createRequire(require.resolve(`${dependent}/package.json`));
    for (const one of [`jest-environment-${name}`, name])
      try {
        return require.resolve(one);
      } catch (error) {
        if (error.code !== 'MODULE_NOT_FOUND') throw error;
      }
  }
  throw new Error(`Tapedeck: the test environment ${name} is not installed`);
}
