import assert from 'node:assert/strict';
import { fileTree, type TreeFolder } from '../../../src/core/project/fileTree';

/** The tree as indented lines; folders end with a slash, groups of names with an ellipsis. */
function lines({ folders, files, prefix }: TreeFolder<string>, indent = ''): string[] {
  return [
    ...folders.flatMap((folder) => [
      `${indent}${folder.label}${folder.prefix === '' ? '/' : '…'} ${folder.count}`,
      ...lines(folder, `${indent}  `),
    ]),
    ...(files.length > 3
      ? [`${indent}${files.length} files`]
      : files.map(({ path }) => `${indent}${path.slice(path.lastIndexOf('/') + 1).slice(prefix.length)}`)),
  ];
}

const tree = (paths: readonly string[], isCompact = true) =>
  lines(
    fileTree(
      paths.map((path) => ({ path, item: path, isShortened: true })),
      isCompact,
    ),
  );

describe('a tree of files', () => {
  it('nests folders, and puts a folder that holds one other on a row with it', () => {
    const paths = ['tests/cassettes/a.yaml', 'tests/cassettes/deep/er/b.yaml', 'top.json', 'src/x/y/c.json'];
    assert.deepEqual(tree(paths), [
      'src/x/y/ 1',
      '  c.json',
      'tests/cassettes/ 2',
      '  deep/er/ 1',
      '    b.yaml',
      '  a.yaml',
      'top.json',
    ]);
    assert.deepEqual(tree(['a/b/c.json'], false), ['a/ 1', '  b/ 1', '    c.json']);
  });

  it('puts no more folders on a row than a narrow list shows', () => {
    assert.deepEqual(tree(['libs/partners/openai/tests/cassettes/a.yaml']), [
      'libs/partners/openai/ 1',
      '  tests/cassettes/ 1',
      '    a.yaml',
    ]);
    const names = Array.from({ length: 40 }, (_, at) => `cassettes/test_chat_completions_${at}.json`);
    assert.deepEqual(tree(names), ['cassettes/ 40', '  test_chat_completions_… 40', '    40 files']);
  });

  it('lists folders as people count, and keeps the order of files', () => {
    assert.deepEqual(tree(['t10/a', 't2/a', 'T1/a']), ['T1/ 1', '  a', 't2/ 1', '  a', 't10/ 1', '  a']);
  });

  it('puts many names that begin alike below what they share', () => {
    const openai = Array.from({ length: 40 }, (_, at) => `c/TestOpenAIStandard.test_stream_${at}.yaml`);
    const others = ['c/TestAnthropic.test_a.yaml', 'c/conftest.yaml'];
    assert.deepEqual(tree([...openai, ...others]), [
      'c/ 42',
      '  TestOpenAIStandard.test_stream_… 40',
      '    40 files',
      '  TestAnthropic.test_a.yaml',
      '  conftest.yaml',
    ]);
  });

  it('makes one row of a folder and what all of its names share', () => {
    const names = Array.from({ length: 40 }, (_, at) => `c/test_agents_create_${at}.json`);
    assert.deepEqual(tree(names), ['c/test_agents_create_… 40', '  40 files']);
  });

  it('shortens again where a group is large', () => {
    const names = ['streaming_response', 'structured_output'].flatMap((what) =>
      Array.from({ length: 40 }, (_, at) => `c/test_chat_completions_${what}_${at}.json`),
    );
    assert.deepEqual(tree(names), [
      'c/test_chat_completions_… 80',
      '  streaming_response_… 40',
      '    40 files',
      '  structured_output_… 40',
      '    40 files',
    ]);
  });

  it('leaves short beginnings, few names, and files that are no tapes as they are', () => {
    assert.deepEqual(tree(Array.from({ length: 40 }, (_, at) => `c/test_${at}.json`)), ['c/ 40', '  40 files']);
    assert.deepEqual(tree(Array.from({ length: 10 }, (_, at) => `c/test_agents_create_${at}.json`)), [
      'c/ 10',
      '  10 files',
    ]);
    const cases = Array.from({ length: 40 }, (_, at) => `c/test_agents_create_${at}.toml`);
    const files = cases.map((path) => ({ path, item: path, isShortened: false }));
    assert.deepEqual(lines(fileTree(files, true)), ['c/ 40', '  40 files']);
  });

  it('takes a linear time for names without words', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `c/${at.toString(36).padStart(200, 'x')}`);
    assert.deepEqual(tree(names), ['c/ 20000', '  20000 files']);
  });
});
