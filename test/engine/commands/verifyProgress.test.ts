import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArguments } from '../../../src/engine/commands/parseArguments';
import { verifyCommand } from '../../../src/engine/commands/verify';
import { createPaint } from '../../../src/engine/terminal/paint';
import { tapeOf } from '../../harness/builtEngine';
import { inFolder, NEVER } from '../../harness/support';

/** Verifies a folder at a terminal, and returns the lines of progress. */
async function verify(cwd: string): Promise<readonly string[]> {
  const shown: string[] = [];
  const terminal = {
    ...{ cwd, env: {}, signal: NEVER, paint: createPaint(false), columns: 80 },
    print: () => undefined,
    note: () => undefined,
    progress: (text: string) => shown.push(text),
  };
  assert.equal(await verifyCommand.run(parseArguments(verifyCommand.options, []), terminal), 0);
  return shown;
}

describe('the progress of verify', function () {
  this.timeout(300_000);

  it('is how many of the tapes it has come to, once it has taken a second, and is cleared at the end', async () => {
    await inFolder(async (root) => {
      await writeFile(join(root, 'tapedeck.toml'), '');
      const tape = tapeOf('t', Array<string>(500).fill('It rains in Paris today.'));
      let shown: readonly string[] = [];
      let written = 0;
      for (let count = 100; shown.length < 2; count *= 2) {
        await mkdir(join(root, 'tapes'), { recursive: true });
        for (; written < count; written += 1) await writeFile(join(root, `tapes/${written}.tape.json`), tape);
        shown = await verify(root);
      }
      assert.match(shown[0] ?? '', /^verifying \d+ of \d{3,}: tapes\/\d+\.tape\.json$/);
      assert.equal(shown.at(-1), '');
    });
  });
});
