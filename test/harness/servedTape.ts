import { once } from 'node:events';
import { type Ended, ended, startEngine, type TestProject } from './builtEngine';
import { cli } from './inProcess';

/** What is done with a server, by its address before the names of the APIs. */
type Use = (base: string) => Promise<void>;

/** Uses a `tapedeck serve` with these options, in this process, and tells how it ended. */
export async function withServe(project: TestProject, options: readonly string[], use: Use): Promise<Ended> {
  const stop = new AbortController();
  let announce = (_: string): void => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const end = cli(project.root, ['serve', '--json', ...options], { signal: stop.signal, onPrint: announce });
  try {
    await use(baseIn(await Promise.race([announced, end.then(({ stderr }) => stderr)])));
  } finally {
    stop.abort();
  }
  return end;
}

/** The same in a process of its own: what a recording leaves is recovered once its process is gone. */
export async function withServeProcess(project: TestProject, options: readonly string[], use: Use): Promise<Ended> {
  const child = startEngine(['serve', '--json', ...options], { cwd: project.root });
  const end = ended(child);
  try {
    const [line] = await Promise.race([once(child.stdout, 'data'), end.then(({ stderr }) => [stderr])]);
    await use(baseIn(line));
  } finally {
    child.kill('SIGINT');
  }
  return end;
}

function baseIn(line: string): string {
  return (JSON.parse(line) as { readonly TAPEDECK_PROXY: string }).TAPEDECK_PROXY;
}
