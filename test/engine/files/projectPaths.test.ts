import * as assert from 'node:assert/strict';
import { isAbsolute, relative, sep } from 'node:path';
import fc from 'fast-check';
import { fromRoot, isInside } from '../../../src/engine/files/projectPaths';

const segment = fc.constantFrom('a', 'b', 'a.b', '.a', '...', '..', '.', '', 'A', 'é');
const path = fc
  .tuple(fc.constantFrom('', '/', 'C:\\', '.'), fc.array(segment, { maxLength: 5 }), fc.constantFrom('/', '\\'))
  .map(([start, segments, separator]) => start + segments.join(separator));
/** A folder with paths that begin like it, and others. */
const pair = fc
  .tuple(path, path, fc.boolean())
  .map(([folder, other, isBelow]) => [folder, isBelow ? folder + other : other]);

describe('the way from a folder to a path', () => {
  it('is that of both paths resolved, however they are written', () => {
    fc.assert(
      fc.property(pair, ([folder = '', other = '']) => {
        const way = relative(folder, other);
        assert.equal(fromRoot(folder, other), way.split(sep).join('/'));
        assert.equal(isInside(folder, other), way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
      }),
      { numRuns: 5000 },
    );
  });
});
