// The engine of Tapedeck: one `tapedeck serve` for all tests of a run, with a lane for each of them.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUNDLED = fileURLToPath(new URL('../dist/engine.js', import.meta.url));

/**
 * Starts a server that only replays, or that may record as well.
 * @param {string} folder
 * @param {boolean} replays
 * @returns {Promise<{ variables: Record<string, string>, stop: () => Promise<void> }>}
 */
export async function startServer(folder, replays) {
  const engine = process.env.TAPEDECK_ENGINE || BUNDLED;
  const tape = join(folder, '__tapes__', '{lane}.tape.jsonl');
  const args = ['serve', '--tape', tape, replays ? '--replay' : '--auto', '--forward', '--attached', '--json'];
  const server = spawn(process.execPath, [engine, ...args], { cwd: folder, stdio: 'pipe' });
  let said = '';
  server.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  const ended = new Promise((resolve) => server.once('close', resolve));
  const first = new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    server.once('error', (error) => {
      said += error.message;
      resolve('');
    });
    void ended.then(() => resolve(''));
  });
  const line = await first;
  if (line === '') throw new Error(`Tapedeck cannot start: ${said.trim()}`);
  // A runner that is done does not wait for its server.
  for (const handle of [server, server.stdin, server.stdout, server.stderr]) handle.unref?.();
  return {
    variables: JSON.parse(line),
    stop: async () => {
      server.ref();
      server.stdin.end();
      await ended;
    },
  };
}

/** The lanes of a server, by the variables that it prints. */
export class Server {
  /** @param {Record<string, string>} variables */
  constructor(variables) {
    this.variables = variables;
    this.base = variables.TAPEDECK_PROXY ?? '';
  }

  /**
   * Begins a lane.
   * @param {string} lane
   * @param {object} plan
   * @returns {Promise<{ mode: string, variables: Record<string, string> }>}
   */
  begin(lane, plan) {
    return this.#ask('PUT', lane, '', JSON.stringify(plan));
  }

  /**
   * Ends a lane: its recording is saved if its test passed, and else kept. Resolves with what it did.
   * @param {string} lane
   * @param {'passed' | 'failed' | 'skipped'} outcome
   */
  end(lane, outcome) {
    return this.#ask('DELETE', lane, `?outcome=${outcome}`);
  }

  // Not by `fetch`, which a test may replace.
  #ask(method, lane, query = '', body = undefined) {
    return new Promise((resolve, reject) => {
      const asked = ask(`${this.base}/~${encodeURIComponent(lane)}${query}`, { method, agent: kept }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const answer = text === '' ? {} : JSON.parse(text);
          if (response.statusCode < 400) resolve(answer);
          else reject(new Error(answer.error?.message ?? text));
        });
      });
      asked.on('error', (error) => reject(new Error(`the server of Tapedeck has ended: ${error.message}`)));
      asked.end(body);
    });
  }
}

const ask = request;
/** Of its own, because a test may replace or end the global one. */
const kept = new Agent({ keepAlive: true });
