// Reads a tape as the transcript does: in the reader's thread, to the end.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const [path] = process.argv.slice(2);
const script = resolve(fileURLToPath(import.meta.url), '../../../dist/tapeReader.js');
const worker = new Worker(script, {
  workerData: { file: resolve(path), path: resolve(path), version: 1 },
  execArgv: [],
  resourceLimits: { maxYoungGenerationSizeMb: 8 },
});
let id = 0;
const call = (method, params) =>
  new Promise((done) => {
    id += 1;
    const own = id;
    const listen = (message) => {
      if (message.id !== own) return;
      worker.off('message', listen);
      done(message);
    };
    worker.on('message', listen);
    worker.postMessage({ v: 1, id: own, method, params });
  });
worker.on('error', (error) => {
  console.log(`the thread ended: ${error.message}`);
  process.exit(1);
});
const state = await call('state');
console.log(JSON.stringify(state).slice(0, 500));
for (;;) {
  const grown = await call('grow');
  if (grown.ok === null || grown.ok === undefined) break;
}
const bodies = await call('bodies', { interactions: [0, 1, 2] });
console.log(JSON.stringify(bodies).slice(0, 300));
await worker.terminate();
