import assert from 'node:assert/strict';
import { yamlOutline } from '../../../src/core/yaml/yamlOutline';

describe('yamlOutline', () => {
  it('finds the paths of lists and maps, whether lists are indented or not', () => {
    const paths = ['a', 'a[]', 'a[].b', 'a[].b.c', 'a[].d', 'e'];
    assert.deepEqual([...yamlOutline('a:\n- b:\n    c: 1\n  d: 2\ne: 3\n')], paths);
    assert.deepEqual([...yamlOutline('a:\r\n  -   b:\r\n        c: 1\r\n      d: 2\r\ne: 3')], paths);
    assert.deepEqual([...yamlOutline('---\n# x: y\na:\n-\n  b: !!map\n    c: 1\n  d: &id 2\n"e": 3\n')], paths);
  });

  it('does not look for keys in scalars', () => {
    const text = 'a: |\n  b: 1\n\n  c: 2\nd: "x\n  e: 3"\nf: !!binary |\n  g: 4\nh: {i: 1}\nj: no: k\n';
    assert.deepEqual([...yamlOutline(text)], ['a', 'd', 'f', 'h', 'j']);
  });

  it('takes linear time', () => {
    // Quadratic time would exceed the timeout.
    const paths = yamlOutline(`a: ${'!!'.repeat(100_000)}\n${'- '.repeat(100_000)}\n${'x: y\n'.repeat(100_000)}`);
    assert.ok(paths.has('x'));
  });
});
