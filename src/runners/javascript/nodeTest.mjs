// `import { test, it, describe } from '@tapedeck/cli/node-test'`, in the place of `node:test`, whose hooks do not share the context of tests.
import * as nodeTest from 'node:test';
import { leadClients } from './clients.mjs';
import { startServer } from './engine.mjs';
import { Lanes } from './lane.mjs';
import { modeOf } from './mode.mjs';

export { after, afterEach, before, beforeEach, describe, mock, suite } from 'node:test';

const mode = modeOf(process.env, false);
const root = process.cwd();
let starting;
// Before the file of tests makes its clients.
if (mode !== 'off') leadClients();

/** The server of this process, which is that of one file of tests. It starts with the first of them, and ends with the process. */
async function theLanes() {
  starting ??= startServer(root, mode === 'none').then(({ variables }) => {
    const rerecord = (id) => `TAPEDECK_MODE=record node --test --test-name-pattern=${JSON.stringify(id)}`;
    return new Lanes({ variables, mode, root, rerecord });
  });
  return starting;
}

function withTape(run) {
  return async function tested(context) {
    const { fullName = context.name, filePath = process.argv[1] } = context;
    const lanes = await theLanes();
    const name = fullName.replaceAll('\n', ' ');
    await lanes.run({ file: filePath, name, id: context.name }, () => run.call(this, context));
  };
}

function taped(original) {
  const own = (...args) => {
    const at = args.findIndex((one) => typeof one === 'function');
    const isOff = mode === 'off' || at === -1 || args[at].length > 1;
    return original(...(isOff ? args : args.with(at, withTape(args[at]))));
  };
  for (const name of ['skip', 'todo', 'only']) own[name] = original[name];
  return own;
}

export const test = taped(nodeTest.test);
export const it = taped(nodeTest.it);
