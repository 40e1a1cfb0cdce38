import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PythonTest, readPythonTests } from '../../../../src/core/tapeTests/python/pythonTests';
import { readPythonLines } from '../../../../src/core/tapeTests/python/pythonTokens';
import { nodeName } from '../../../../src/core/tapeTests/python/testNames';

const SOURCE = `
"""@pytest.mark.vcr
def test_in_a_docstring(): ...
"""
import pytest  # @pytest.mark.vcr
pytestmark = [pytest.mark.slow, pytest.mark.vcr("more.yaml")]

@pytest.mark.cassette(
    path="cassettes/my " 'one.json',  # two strings are one
)
@pytest.mark.parametrize("n, m", [(1, "a)"), (2, 'b')])
async def test_first(ca_cassette, n: int = (1, 2)[0], *args, **kwargs) -> None:
    text = f"""
def test_in_a_string(): pass
"""
    with my_vcr.use_cassette(f"{n}.yaml"), vcr.use_cassette(r"a\\b.yaml") as cass:
        def test_inside():
            pass
    if n == 1: return

class Helper:
\tdef test_not_mine(self): pass

@pytest.mark.replay("fixtures/x.jsonl")
class TestThings(Base):
    x = {
  'def': 1}
    if True:
        @staticmethod
        def test_second(self): "\\"def test_no(): pass"

    class TestInner:
        def test_third(self, /, a, *, b): ...

def helper(): pass
def test_last(): pass
`;

const byName = (tests: readonly PythonTest[]) => new Map(tests.map((test) => [nodeName(test), test]));

describe('the tests in a Python file', () => {
  const tests = readPythonTests(SOURCE);

  it('are its test functions, at the top and in classes', () => {
    assert.deepEqual(tests.map(nodeName), [
      'test_first',
      'Helper::test_not_mine',
      'TestThings::test_second',
      'TestThings::TestInner::test_third',
      'test_last',
    ]);
    for (const { name, nameSpan } of tests) assert.equal(SOURCE.slice(nameSpan.start, nameSpan.end), name);
  });

  it('begin with their first decorator', () => {
    const starts = tests.map(({ start }) => SOURCE.slice(start, start + 14));
    assert.deepEqual(starts, [
      '@pytest.mark.c',
      'def test_not_m',
      '@staticmethod\n',
      'def test_third',
      'def test_last(',
    ]);
  });

  it('have the marks of their own, of their classes and of the file', () => {
    const marks = (name: string) =>
      byName(tests)
        .get(name)
        ?.marks.map((mark) => mark.name);
    const file = ['pytest.mark.slow', 'pytest.mark.vcr'];
    assert.deepEqual(marks('test_first'), ['pytest.mark.parametrize', 'pytest.mark.cassette', ...file]);
    assert.deepEqual(marks('TestThings::test_second'), ['staticmethod', 'pytest.mark.replay', ...file]);
    assert.deepEqual(marks('TestThings::TestInner::test_third'), ['pytest.mark.replay', ...file]);
    assert.deepEqual(marks('test_last'), file);
  });

  it('have the arguments of marks that are literal strings', () => {
    const [, cassette, , vcr] = byName(tests).get('test_first')?.marks ?? [];
    assert.deepEqual([...(cassette?.keywords ?? [])], [['path', 'cassettes/my one.json']]);
    assert.deepEqual(vcr?.args, ['more.yaml']);
  });

  it('have their parameters, and the cassettes that they use', () => {
    const test = byName(tests).get('test_first');
    assert.deepEqual(test?.parameters, ['ca_cassette', 'n']);
    assert.deepEqual(
      test?.cassettes.map(({ args }) => args),
      [[undefined], ['a\\b.yaml']],
    );
    assert.deepEqual(byName(tests).get('test_last')?.cassettes, []);
  });

  it('are found with any line end, and behind a byte order mark', () => {
    assert.deepEqual(readPythonTests(SOURCE.replaceAll('\n', '\r\n')).map(nodeName), tests.map(nodeName));
    assert.deepEqual(readPythonTests('\ufeffdef test_a(): pass').map(nodeName), ['test_a']);
  });

  it('can be looked for in any text', () => {
    const piece = fc.constantFrom(
      'def ',
      'class ',
      'test_a',
      '(',
      ')',
      '"',
      "'''",
      '@',
      '#',
      '\n',
      '    ',
      '\\',
      'ü',
      '😀',
      ':',
      'f"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        for (const { nameSpan, name } of readPythonTests(text))
          assert.equal(text.slice(nameSpan.start, nameSpan.end), name);
        for (const { tokens } of readPythonLines(text)) assert.ok(tokens.length > 0);
      }),
    );
  });
});
