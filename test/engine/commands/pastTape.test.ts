import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { buildEngine, type Ended, engine, inProject } from '../../harness/builtEngine';

const TAPE = 'tapes/agent.tape.jsonl';
const NO_CALLS = '{"tapedeck":"tape","version":1,"name":"t"}\n';

/** A machine with a public address, in a namespace beside that of the agent: what is public here is reached nowhere else. */
const SERVER = `import { createServer } from 'node:http';
const answer = (_, response) => setTimeout(() => response.end('answered'), 1500);
createServer(answer).listen(8080, '::');`;
const NETWORK = `ip link set lo up
unshare --net sh -c 'ip link set lo up; read -r _' < "$1" & there=$!
exec 9> "$1"
while [ "$(readlink /proc/$there/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
ip link add name veth0 type veth peer name veth1 netns $there
ip addr add 93.184.216.1/24 dev veth0 && ip addr add 2600:1406::1/64 dev veth0 nodad && ip link set veth0 up
nsenter -t $there -n sh -c 'ip addr add 93.184.216.34/24 dev veth1; ip addr add 10.1.2.3/24 dev veth1; ip addr add 2600:1406::34/64 dev veth1 nodad; ip link set veth1 up'
ip route add 10.1.2.0/24 dev veth0
nsenter -t $there -n node server.mjs & server=$!
until curl -s -o /dev/null 'http://93.184.216.34:8080/'; do sleep 0.1; done
shift
"$@"
code=$?
kill $server
exit $code`;

/** Ways past a proxy, none of which reads a variable. */
const WAYS = {
  'a program without its environment': [
    `env -i "$(command -v curl)" -s http://93.184.216.34:8080/`,
    '93.184.216.34:8080 (curl)',
  ],
  'a socket': [
    `env -i "$(command -v node)" -e "require('node:net').connect(8080, '93.184.216.34').on('connect', function () { this.write('GET / HTTP/1.0\\r\\n\\r\\n') }).resume()"`,
    '93.184.216.34:8080 (node)',
  ],
  IPv6: [`curl -s --noproxy '*' 'http://[2600:1406::34]:8080/'`, '[2600:1406::34]:8080 (curl)'],
  'a process in the background': [
    `(env -i "$(command -v curl)" -s http://93.184.216.34:8080/ > /dev/null &) ; sleep 1`,
    '93.184.216.34:8080 (curl)',
  ],
  'a UDP socket': [
    `env -i "$(command -v node)" -e "const s = require('node:dgram').createSocket('udp4'); s.connect(443, '93.184.216.34', () => setTimeout(() => s.close(), 1500))"`,
    '93.184.216.34:443 (node)',
  ],
} as const;

describe('An agent that goes past the tape', () => {
  before(function () {
    buildEngine.call(this);
    const asked = spawnSync('unshare', ['-Urn', 'ip', ...'link add name veth0 type veth peer name veth1'.split(' ')]);
    if (asked.status === 0) return;
    console.error(`NOT RUN: this system permits no network of its own: ${asked.stderr}`);
    this.skip();
  });

  const run = async (way: string, ...options: readonly string[]): Promise<Ended> => {
    let end: Ended | undefined;
    const files = { [TAPE]: NO_CALLS, 'network.sh': NETWORK, 'server.mjs': SERVER, 'agent.sh': way };
    await inProject(files, async ({ root }) => {
      spawnSync('mkfifo', ['end'], { cwd: root });
      const within = ['unshare', '-Urn', 'sh', 'network.sh', 'end'];
      const args = ['exec', '--tape', TAPE, '--allow-none', ...options, '--', 'sh', 'agent.sh'];
      end = await engine(args, { cwd: root, within });
    });
    assert.ok(end);
    return end;
  };

  for (const [name, [way, reached]] of Object.entries(WAYS))
    it(`is told of: ${name}`, async () => {
      const { stderr, code } = await run(way);
      assert.ok(stderr.includes(`The agent reached ${reached} past the tape, so this replay was not offline.`), stderr);
      assert.equal(code, 0, stderr);
    });

  it('is not told of an address that is not public, or its own machine', async () => {
    const { stderr, stdout } = await run(
      `curl -s --noproxy '*' http://10.1.2.3:8080/; curl -s --noproxy '*' http://127.0.0.1:9/`,
    );
    assert.match(stdout, /answered/);
    assert.doesNotMatch(stderr, /past the tape/);
  });

  it('is told in a recording that it is not on the tape', async () => {
    const { stderr } = await run(WAYS['a program without its environment'][0], '--record');
    assert.match(stderr, /reached 93\.184\.216\.34:8080 \(curl\) past the tape: what was said there is not recorded/);
  });
});
