import assert from 'node:assert/strict';
import { yamlOutline } from '../../../src/core/yaml/yamlOutline';

describe('yamlOutline', () => {
  it('finds the paths of lists and maps, whether lists are indented or not', () => {
    const paths = ['a', 'a[]', 'a[].b', 'a[].b.c', 'a[].d', 'e'];
    for (const text of [
      'a:\n- b:\n    c: 1\n  d: 2\ne: 3\n',
      'a:\r\n  -   b:\r\n        c: 1\r\n      d: 2\r\ne: 3',
      '---\n# x: y\na:\n-\n  b: !!map\n    c: 1\n  d: &id 2\n"e": 3\n',
    ]) {
      const outline = yamlOutline(text);
      // In any order: it reads as far as it is asked.
      assert.deepEqual(
        ['e', 'b', ...paths, 'a[].e', 'x'].filter((path) => outline.has(path)),
        ['e', ...paths],
      );
    }
  });

  it('does not look for keys in scalars', () => {
    const text = 'a: |\n  b: 1\n\n  c: 2\nd: "x\n  e: 3"\nf: !!binary |\n  g: 4\nh: {i: 1}\nj: no: k\n';
    const paths = Array.from('abcdefghij').flatMap((key) => [key, `a.${key}`, `d.${key}`, `f.${key}`, `h.${key}`]);
    assert.deepEqual(
      paths.filter((path) => yamlOutline(text).has(path)),
      ['a', 'd', 'f', 'h', 'j'],
    );
  });

  it('takes linear time', () => {
    // Quadratic time would exceed the timeout.
    const paths = yamlOutline(`a: ${'!!'.repeat(100_000)}\n${'- '.repeat(100_000)}\n${'x: y\n'.repeat(100_000)}`);
    assert.ok(paths.has('x'));
  });
});
