// Asks a server over keep-alive connections, one request in flight on each, with no more work for the client than to
// see where each answer ends.
import net from 'node:net';
import tls from 'node:tls';

/**
 * @typedef {{ proxy: string, secureContext: tls.SecureContext }} Tunnel The address of a forward proxy, and what to trust.
 * @param {{url: string, bodies: Buffer[], concurrency: number, first?: number, tunnel?: Tunnel}} options `first`: the number of the
 * first question.
 * @returns {Promise<{perSecond: number, wrong: number}>} `wrong`: answers without the mark of their question
 */
export async function load({ url, bodies, concurrency, first = 0, tunnel }) {
  const { hostname, port, pathname } = new URL(url);
  const requests = bodies.map((body) =>
    Buffer.concat([
      Buffer.from(
        `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\nauthorization: Bearer sk-test\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]),
  );
  let next = 0;
  let wrong = 0;
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => connect(hostname, Number(port), tunnel)),
  );
  // Agents keep their connections.
  const started = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < requests.length; index = next++) {
        const answer = await connection.ask(requests[index]);
        if (
          !answer.startsWith('HTTP/1.1 200') ||
          !(answer.includes(`A${first + index}.`) || answer.includes('constant'))
        )
          wrong += 1;
      }
      connection.socket.destroy();
    }),
  );
  return { perSecond: requests.length / ((performance.now() - started) / 1000), wrong };
}

/** @param {string} host @param {number} port @param {Tunnel | undefined} tunnel */
async function connect(host, port, tunnel) {
  const socket = tunnel === undefined ? net.connect({ host, port, noDelay: true }) : await openTunnel(host, tunnel);
  const ready = tunnel === undefined ? 'connect' : 'secureConnect';
  await new Promise((resolve, reject) => socket.once(ready, resolve).once('error', reject));
  let text = '';
  /** @type {(answer: string) => void} */
  let settle = () => {};
  /** @type {(error: Error) => void} */
  let fail = () => {};
  socket.setEncoding('latin1').on('data', (/** @type {string} */ chunk) => {
    text += chunk;
    if (isWhole(text)) settle(text);
  });
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('the connection ended')));
  return {
    socket,
    /** @param {Buffer} request @returns {Promise<string>} */
    ask: (request) =>
      new Promise((resolve, reject) => {
        [text, settle, fail] = ['', resolve, reject];
        socket.write(request);
      }),
  };
}

/** @param {string} host @param {Tunnel} tunnel */
async function openTunnel(host, { proxy, secureContext }) {
  const { hostname, port, username, password } = new URL(proxy);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  socket.write(
    `CONNECT ${host}:443 HTTP/1.1\r\nhost: ${host}:443\r\nproxy-authorization: Basic ${credentials}\r\n\r\n`,
  );
  const head = await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`the proxy refused the tunnel: ${head}`);
  return tls.connect({ socket, servername: host, secureContext });
}

/** @param {string} text */
function isWhole(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
}
