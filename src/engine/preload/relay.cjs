'use strict';
// Runs an agent where nothing but Tapedeck can be reached, and leads connections to Tapedeck's ports, which have another
// network, through Unix sockets: PORT=SOCKET… -- COMMAND…
const net = require('node:net');
const { spawn } = require('node:child_process');

const given = process.argv.slice(2);
const end = given.indexOf('--');
const [program, ...args] = given.slice(end + 1);

function relay(port, socket) {
  const server = net.createServer((client) => {
    const proxy = net.connect({ path: socket });
    client.pipe(proxy).pipe(client);
    client.on('error', () => proxy.destroy());
    proxy.on('error', () => client.destroy());
  });
  return new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
}

const relays = given.slice(0, end).map((one) => {
  const at = one.indexOf('=');
  return relay(one.slice(0, at), one.slice(at + 1));
});

Promise.all(relays).then(() => {
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
