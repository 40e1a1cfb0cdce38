import assert from 'node:assert/strict';
import {
  fileIdentity,
  fileStatus,
  filesBelow,
  isSameFile,
  linkTarget,
  listFolder,
  pathExists,
  realPath,
} from '../../../src/engine/files/fileStatus';
import { allowMachineOf, isElsewhere } from '../../../src/engine/files/machines';
import { readText } from '../../../src/engine/files/readFile';

const isWindows = process.platform === 'win32';
/** RFC 2606 has no host of this name. */
const STRANGE = '\\\\stranger.invalid\\share\\a.tape.json';

describe('A path that leads to another machine', () => {
  it('is not opened, nor looked for, unless the user has named that machine', async () => {
    assert.equal(isElsewhere(STRANGE), isWindows);
    await assert.rejects(readText(STRANGE, 100), { code: isWindows ? 'EOTHERMACHINE' : 'ENOENT' });
    await assert.rejects(fileIdentity(STRANGE), { code: isWindows ? 'EOTHERMACHINE' : 'ENOENT' });
    assert.deepEqual(await Promise.all([listFolder(STRANGE), filesBelow(STRANGE)]), [[], []]);
    assert.deepEqual([await linkTarget(STRANGE), await isSameFile(STRANGE, STRANGE)], [undefined, false]);
    assert.deepEqual(
      [await fileStatus(STRANGE), pathExists(STRANGE), await realPath(STRANGE)],
      [undefined, false, undefined],
    );
    allowMachineOf('\\\\Named.invalid\\share');
    assert.equal(isElsewhere('//named.invalid/share/a'), false);
  });
});
