import { once } from 'node:events';
import { ended, startEngine, type TestProject } from './builtEngine';

/**
 * Runs the test against a real `tapedeck serve` with these options, and returns what that printed to stderr. `base` is the
 * proxy's address, before the names of the APIs.
 */
export async function withServe(
  project: TestProject,
  options: readonly string[],
  test: (base: string) => Promise<void>,
): Promise<string> {
  const child = startEngine(['serve', '--json', ...options], { cwd: project.root });
  const end = ended(child);
  try {
    const [line] = (await Promise.race([once(child.stdout, 'data'), end.then(({ stderr }) => [stderr])])) as [string];
    await test((JSON.parse(line) as { readonly TAPEDECK_PROXY: string }).TAPEDECK_PROXY);
  } finally {
    child.kill('SIGINT');
  }
  return (await end).stderr;
}
