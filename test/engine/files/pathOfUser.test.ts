import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathOfUser } from '../../../src/engine/files/pathOfUser';
import { inFolder } from '../../harness/support';

const NAMES = ['tapes', 'Größe Ä.tape.json'];

/** The same names with other capital letters. */
const TYPED = [
  ['TAPES', 'GRößE ä.TAPE.JSON'],
  ['Tapes', 'größe Ä.tape.json'],
  ['tapes', 'GrÖße ä.tape.json'],
];

describe('the path of what the user named', () => {
  it('has the names that its folders have, where others lead to it', () =>
    inFolder(async (root) => {
      await mkdir(join(root, 'tapes'));
      await writeFile(join(root, ...NAMES), '');
      const isOneFile = existsSync(join(root, 'TAPES'));
      for (const typed of TYPED)
        assert.equal(pathOfUser(root, typed.join('/')), join(root, ...(isOneFile ? NAMES : typed)));
      await writeFile(join(root, 'tapes/many.toml'), '');
      const one = isOneFile ? 'tapes/many.toml#a%20b' : 'Tapes/MANY.toml#a%20b';
      assert.equal(pathOfUser(root, 'Tapes/MANY.toml#a%20b'), join(root, one));
      const whole = join(root.toUpperCase(), 'TAPES');
      if (isOneFile) assert.ok(pathOfUser('/', whole).endsWith(join(basename(root), 'tapes')), pathOfUser('/', whole));
      const beside = pathOfUser(join(root, 'cases'), `../${TYPED[0]?.join('/')}`);
      assert.equal(beside, join(root, ...(isOneFile ? NAMES : (TYPED[0] ?? []))));
    }));

  it('is as it was typed where there is nothing, or two files of such a name', () =>
    inFolder(async (root) => {
      await mkdir(join(root, 'tapes'));
      assert.equal(pathOfUser(root, 'tapes/New.tape.json'), join(root, 'tapes/New.tape.json'));
      assert.equal(pathOfUser(root, 'None/../other/A'), join(root, 'other/A'));
      assert.equal(pathOfUser(join(root, 'tapes'), '..'), root);
      assert.equal(pathOfUser(root, '.'), root);
      assert.equal(pathOfUser(root, resolve('/')), resolve('/'));
      for (const name of ['tapes/b', 'tapes/B']) await writeFile(join(root, name), name);
      if (existsSync(join(root, 'TAPES'))) return;
      for (const name of ['tapes/b', 'tapes/B']) assert.equal(pathOfUser(root, name), join(root, name));
    }));
});
