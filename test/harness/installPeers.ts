// node --import tsx test/harness/installPeers.ts   installs what tests of `npm test -- --slow` need beside npm's packages, and says what
// it could not. That is no failure: the suites that need it install it then, or say so.
import { openWine } from '../windows/wine.mjs';
import { JAVASCRIPT_PEERS, javascriptWith, PYTHON_PEERS, pythonWith } from './peers';
import { ensureCodeServer } from './vscode/installCodeServer.mjs';
import { hostVersion } from './vscode/versions.mjs';

type Installs = Readonly<Record<string, () => Promise<unknown>>>;

const PYTHON: Installs = Object.fromEntries(
  (Object.keys(PYTHON_PEERS) as (keyof typeof PYTHON_PEERS)[]).map((name) => [`Python, ${name}`, () => python(name)]),
);
const JAVASCRIPT: Installs = Object.fromEntries(
  (Object.keys(JAVASCRIPT_PEERS) as (keyof typeof JAVASCRIPT_PEERS)[]).map((name) => [
    `Node, ${name}`,
    () => javascriptWith(name),
  ]),
);
const PROGRAMS: Installs = {
  'the oldest VS Code': () => ensureCodeServer(hostVersion('oldest')),
  Wine: async () => (await openWine()).close(),
};

async function python(name: keyof typeof PYTHON_PEERS): Promise<void> {
  const peer = await pythonWith(name);
  if ('missing' in peer) throw new Error(peer.missing);
}

async function installEach(installs: Installs): Promise<void> {
  for (const [name, install] of Object.entries(installs)) {
    const started = performance.now();
    const problem = await install().then(
      () => '',
      (error: Error) => `: NOT INSTALLED, ${error.message}`,
    );
    console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s${problem}`);
  }
}

void Promise.all([PYTHON, JAVASCRIPT, PROGRAMS].map(installEach));
