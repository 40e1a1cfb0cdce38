import assert from 'node:assert/strict';
import { posix } from 'node:path';
import fc from 'fast-check';
import { relativePath } from '../../../src/core/project/layout';

it('relativePath goes the way that Node goes', () => {
  const part = fc.constantFrom('a', 'b', 'c', '..x', 'é');
  const path = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(path, path, part, (folder, other, name) => {
      const file = posix.join(other, name);
      fc.pre(!`${folder}/`.startsWith(`${file}/`));
      assert.equal(relativePath(folder, file), posix.relative(folder, file));
    }),
  );
});
