import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '../../corpus';
import { buildEngine } from '../../harness/builtEngine';

/** The soak of a whole run, once: it replays 100 times by itself. */
const SOAK = join(projectFolder, 'test/soak/wholeRun.mjs');

describe('a whole run on tape', () => {
  before(buildEngine);

  it('is replayed with its model, its MCP servers and its web API gone, and reaches nobody', async function () {
    this.timeout(180_000);
    const child = spawn(process.execPath, [SOAK, '1'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const code = await new Promise((done) => child.once('close', done));
    assert.equal(code, 0, output);
    assert.equal(output.match(/^ok {3}/gm)?.length, 4, output);
  });

  it('would be seen to reach anybody else', async () => {
    const { strangers } = await import(join(projectFolder, 'test/soak/whole/connections.mjs'));
    const to = (port: number, address = '127.0.0.1') =>
      `sa_family=AF_INET, sin_port=htons(${port}), sin_addr=inet_addr("${address}")`;
    const engine = ['7 listen(18, 511) = 0', `7 getsockname(18, {${to(4000)}}, [16]) = 0`];
    const own = `8 connect(3, {${to(4000)}}, 16) = -1 EINPROGRESS`;
    const others = [
      `8 connect(3, {${to(4001)}}, 16) = -1 EINPROGRESS`,
      `8 connect(3, {${to(4000, '10.0.0.1')}}, 16) = 0`,
      `8 sendto(4, "x", 1, 0, {${to(53)}}, 16) = 1`,
      '8 connect(3, {sa_family=AF_INET6, sin6_port=htons(4000), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
      '8 connect(3, {sa_family=AF_UNIX, sun_path="/tmp/other"}, 110) = 0',
      '8 listen(20, 511) = 0',
      `8 getsockname(20, {${to(5000)}}, [16]) = 0`,
      `8 connect(3, {${to(5000)}}, 16) = 0`,
    ];
    const isCall = (line: string) => !/listen|getsockname/.test(line);
    assert.deepEqual(strangers([...engine, own, ...others].join('\n')), others.filter(isCall));
  });
});
