// `import { tapedeck } from '@tapedeck/cli/vitest'`, in the plugins of vitest.config.
import { fileURLToPath } from 'node:url';
import { startBefore } from './vitestServer.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A tape for each test: recorded once, and replayed without a network. */
export function tapedeck() {
  return {
    name: 'tapedeck',
    config: ({ root = process.cwd() }) => {
      startBefore(root);
      return { test: { globalSetup: [file('./vitestGlobal.mjs')], setupFiles: [file('./vitestSetup.mjs')] } };
    },
  };
}
