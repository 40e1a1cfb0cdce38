import { spawn } from 'node:child_process';

/** Starts a server whose first line, or whose OPENAI_BASE_URL, is its address. @param {string[]} args @param {string} cwd */
export async function startServer(args, cwd) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  /** @type {string} */
  const url = await new Promise((done, fail) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const found = /^(?:OPENAI_BASE_URL=)?(http\S+)$/m.exec(chunk)?.[1];
      if (found !== undefined) done(found);
    });
    child.once('exit', (code) => fail(new Error(`${args.join(' ')} ended with ${code}: ${errors}`)));
  });
  child.removeAllListeners('exit');
  return { url, pid: child.pid ?? 0, stop: () => child.kill('SIGKILL') };
}
