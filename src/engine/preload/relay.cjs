'use strict';
// Runs an agent where nothing but Tapedeck's proxy can be reached, and leads connections to the port of the proxy, which has
// another network, through its Unix socket: PORT SOCKET COMMAND…
const net = require('node:net');
const { spawn } = require('node:child_process');

const [port, socket, program, ...args] = process.argv.slice(2);

const relay = net.createServer((client) => {
  const proxy = net.connect({ path: socket });
  client.pipe(proxy).pipe(client);
  client.on('error', () => proxy.destroy());
  proxy.on('error', () => client.destroy());
});

relay.listen(Number(port), '127.0.0.1', () => {
  const agent = spawn(program, args, { stdio: 'inherit' });
  agent.once('error', (error) => {
    console.error(`${program} cannot be started: ${error.message}`);
    process.exit(127);
  });
  agent.once('exit', (code, signal) => {
    for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
    if (signal === null) process.exit(code ?? 1);
    process.kill(process.pid, signal);
  });
  // The agent decides how it ends.
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => agent.kill(name));
});
