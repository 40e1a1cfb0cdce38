import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildEngine,
  type Ended,
  ended,
  inProject,
  startEngine,
  type TestProject,
  tapeOf,
} from '../../harness/builtEngine';

/** An upstream that takes every request and answers none, as a model that thinks for minutes. */
class SilentUpstream {
  private constructor(private readonly server: Server) {}

  static async open(): Promise<SilentUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SilentUpstream(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves when a request has arrived whose response is awaited from now on. */
  async asked(): Promise<void> {
    await new Promise((resolve) => this.server.once('request', resolve));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const OLD_TAPE = tapeOf('live', ['hello']);

const filesFor = (baseUrl: string): Readonly<Record<string, string>> => ({
  'tapedeck.toml': '',
  'live.toml': `name = "live"
prompt = "hi"
[llm]
tape = "live.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}/v1"
model = "m"
`,
  'dsl.toml': `name = "dsl"
prompt = "hi"
[llm]
record_tape = "dsl.tape.json"
[llm.provider]
kind = "open_ai_compatible"
base_url = "${baseUrl}/v1"
model = "m"
`,
  'live.tape.json': OLD_TAPE,
  'flakestorm.yaml': `version: "1.0"
agent: {endpoint: "${baseUrl}/agent", type: http}
golden_prompts: ["hi"]
invariants: [{type: contains, value: hello}]
`,
  'agent.mjs': `await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: '{"model":"m","messages":[]}' });`,
});

async function interrupted(
  args: readonly string[],
  signal: NodeJS.Signals,
  check: (result: Ended, project: TestProject) => Promise<void>,
): Promise<void> {
  const upstream = await SilentUpstream.open();
  try {
    await inProject(filesFor(upstream.baseUrl), async (project) => {
      const asked = upstream.asked();
      const child = startEngine(
        args.map((argument) => argument.replace('UPSTREAM', upstream.baseUrl)),
        { cwd: project.root },
      );
      child.stdin.end();
      const result = ended(child);
      await Promise.race([asked, result]);
      child.kill(signal);
      await check(await result, project);
    });
  } finally {
    upstream.close();
  }
}

describe('a command that waits for an upstream and is interrupted', function () {
  this.timeout(60_000);
  before(buildEngine);
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
  });

  const commands: readonly (readonly string[])[] = [
    ['run', 'live.toml', '--record'],
    ['stability', 'live.toml', '-n', '2'],
    ['trial', 'live.toml', '--model', 'other'],
    ['test-dsl', 'dsl.toml'],
    ['flakestorm', 'ci', '--live'],
    [
      'exec',
      '--record',
      '--upstream',
      'openai=UPSTREAM',
      '--tape',
      'live.tape.json',
      '--',
      process.execPath,
      'agent.mjs',
    ],
  ];
  for (const args of commands)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      it(`${args.slice(0, 2).join(' ')}: ends with 130 on ${signal}, and leaves the tapes as they were`, async () => {
        await interrupted(args, signal, async ({ code, stderr }, project) => {
          assert.equal(code, 130, stderr);
          assert.doesNotMatch(stderr, /this is a bug|^ {4}at /m);
          assert.equal(await project.read('live.tape.json'), OLD_TAPE);
          assert.equal(project.has('dsl.tape.json'), false);
        });
      });
});
