const [, , command = ''] = process.argv;
// The help and the version load little.
if (!/^[a-z][a-z-]*$/.test(command) || command === 'help') require('./chunks/engine.js');
else startKept();

function startKept(): void {
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  const { chunkLoader } = require('./chunkLoader') as typeof import('./chunkLoader');
  // The heap grows by 40 percent of what is used between collections. By default it may triple, mostly by what was read of a large tape.
  // Set first, because V8 rejects what was compiled with other flags, until Node 22.
  setFlagsFromString('--heap-growing-percent=40');
  const { load, keep } = chunkLoader(__dirname, command, require);
  // 2: the command was not understood.
  process.once('exit', (code) => code !== 2 && keep());
  // Longer than it takes a server to start, and to serve its first request.
  setTimeout(keep, 2000).unref();
  load('chunks/engine.js');
}
