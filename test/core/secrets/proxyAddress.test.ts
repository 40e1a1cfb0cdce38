import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/core/secrets/redactor';

const TOKEN = 'Nemy3bhPrDb1RozQziKvv5aC';
const PORT = 41_233;
const redactor = createRedactor({ proxies: [{ secret: TOKEN, port: PORT }] });
const base = `http://127.0.0.1:${PORT}/${TOKEN}/openai`;

describe('the address of a proxy', () => {
  it('is hidden as HTTP clients log it, of whatever language', () => {
    for (const [logged, hidden] of [
      [
        `INFO HTTP Request: POST ${base}/chat "HTTP/1.1 200 OK"`,
        'INFO HTTP Request: POST http://127.0.0.1:0/[redacted]/openai/chat "HTTP/1.1 200 OK"',
      ],
      [
        `connect_tcp.started host='127.0.0.1' port=${PORT} timeout=5`,
        "connect_tcp.started host='127.0.0.1' port=0 timeout=5",
      ],
      [`Starting new HTTP connection (1): 127.0.0.1:${PORT}`, 'Starting new HTTP connection (1): 127.0.0.1:0'],
      [`raddr=('127.0.0.1', ${PORT})>`, "raddr=('127.0.0.1', 0)>"],
      [`* Connected to 127.0.0.1 (127.0.0.1) port ${PORT}`, '* Connected to 127.0.0.1 (127.0.0.1) port 0'],
      [`{ address: '127.0.0.1', port: ${PORT} }`, "{ address: '127.0.0.1', port: 0 }"],
      [`dial tcp [::1]:${PORT}: refused`, 'dial tcp [::1]:0: refused'],
      [`-Dhttps.proxyPort=${PORT} -Dx=y`, '-Dhttps.proxyPort=0 -Dx=y'],
      [`{"port": ${PORT}}`, '{"port": 0}'],
      [encodeURIComponent(base), 'http%3A%2F%2F127.0.0.1%3A0%2F[redacted]%2Fopenai'],
    ] as const) {
      assert.equal(redactor.text(logged), hidden);
      assert.equal(redactor.text(hidden), hidden);
    }
    const encoded = redactor.text(Buffer.from(`it is ${base}`).toString('base64'));
    assert.doesNotMatch(Buffer.from(encoded, 'base64').toString(), new RegExp(`${TOKEN}|${PORT}`));
  });

  it('is not seen in other numbers, hosts, and ports', () => {
    for (const text of [
      `order ${PORT}`,
      `127.0.0.1:${PORT}0`,
      `10.0.0.1:${PORT}`,
      `{"tokens":${PORT}}`,
      `127.0.0.1:${PORT + 1}`,
      `report ${PORT}1`,
    ])
      assert.equal(redactor.text(text), text);
    assert.equal(createRedactor({ proxies: [{ secret: TOKEN }] }).text(`port ${PORT}`), `port ${PORT}`);
    const chosen = `http://127.0.0.1:4010/my-agent/openai`;
    assert.equal(createRedactor({ proxies: [{}] }).text(chosen), chosen);
  });
});
