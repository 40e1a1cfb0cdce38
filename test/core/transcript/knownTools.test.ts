import * as assert from 'node:assert/strict';
import { type Json, prettyJson } from '../../../src/core/json/json';
import { toolView } from '../../../src/core/transcript/tools/knownTools';
import type { ToolView } from '../../../src/core/transcript/tools/toolView';

const viewOf = (name: string, args: Json): ToolView | undefined => toolView(name, args, prettyJson(args));
const gistOf = (name: string, args: Json): string | undefined => {
  const view = viewOf(name, args);
  return view && `${view.kind}: ${view.gist}`;
};
const linesOf = (name: string, args: Json): readonly string[] | undefined =>
  viewOf(name, args)?.lines?.map(
    ({ type, text }) => `${{ same: ' ', removed: '-', added: '+', place: '@' }[type]}${text}`,
  );

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n a\n-b\n+B\n*** Delete File: old.ts\n*** End Patch';
const UNIFIED = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n';

describe('the calls of well-known tools', () => {
  const GISTS: readonly (readonly [name: string, args: Json, gist: string])[] = [
    ['bash', { command: 'npm test\necho done' }, 'command: npm test'],
    ['Bash', { command: 'ls -l', description: 'List files', timeout: 120000 }, 'command: ls -l'],
    ['shell', { command: ['bash', '-lc', 'rg "a b" src'], workdir: '/repo' }, 'command: rg "a b" src'],
    ['shell', { commands: ['git status', 'git diff'], timeout_ms: 1000 }, 'command: git status'],
    ['local_shell', { type: 'exec', command: ['echo', "it's", 'a b'], env: {} }, "command: echo 'it'\\''s' 'a b'"],
    ['run_shell_command', { command: 'make', directory: 'lib' }, 'command: make'],
    ['Read', { file_path: '/a.ts', offset: 3 }, 'read: /a.ts'],
    ['read_file', { path: 'a.md' }, 'read: a.md'],
    ['mcp__files__read_multiple_files', { paths: ['a', 'b'] }, 'read: a, b'],
    ['str_replace_based_edit_tool', { command: 'view', path: '/a', view_range: [3, 9] }, 'read: /a, lines 3 to 9'],
    ['str_replace_based_edit_tool', { command: 'create', path: '/a', file_text: 'x' }, 'write: /a'],
    ['Grep', { pattern: 'TODO', path: 'src', glob: '*.ts' }, 'search: TODO in src'],
    ['web_search', { query: 'weather in Bergen' }, 'search: weather in Bergen'],
    ['WebFetch', { url: 'https://example.com', prompt: 'Sum it up' }, 'fetch: https://example.com'],
    ['computer', { action: 'left_click', coordinate: [12, 40] }, 'action: Left click at 12, 40'],
    ['computer', { action: 'type', text: 'hello' }, 'action: Type \u201chello\u201d'],
    ['computer', { type: 'keypress', keys: ['CTRL', 'S'] }, 'action: Keypress \u201cCTRL+S\u201d'],
    ['move_file', { source: 'a', destination: 'b' }, 'action: Move a to b'],
    ['apply_patch', { type: 'delete_file', path: 'old.ts' }, 'action: Delete old.ts'],
    ['apply_patch', '*** Begin Patch\n*** Add File: new.ts\n+x\n*** End Patch', 'edit: new.ts'],
    ['apply_patch', { input: `${PATCH}`, explanation: 'Rename b' }, 'edit: a.ts, old.ts'],
    ['shell', { command: ['apply_patch', PATCH], workdir: '/repo' }, 'edit: a.ts, old.ts'],
    ['shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] }, 'edit: a.ts, old.ts'],
    ['exec_command', { cmd: `cd /repo && apply_patch <<EOF\n${PATCH}\nEOF\n` }, 'edit: a.ts, old.ts'],
    ['shell_command', { command: `apply_patch <<EOF\n${PATCH}\nEOF\nnpm test` }, 'command: apply_patch <<EOF'],
    ['shell_command', { command: 'ls', workdir: '/repo' }, 'command: ls'],
    ['container.exec', { cmd: ['bash', '-lc', 'ls -l'] }, 'command: ls -l'],
    ['run_in_terminal', { command: 'npm test', explanation: 'Test it', isBackground: false }, 'command: npm test'],
    ['execute_command', { command: 'npm test', requires_approval: false }, 'command: npm test'],
    ['create_file', { filePath: '/a.ts', content: 'x' }, 'write: /a.ts'],
    [
      'insert_edit_into_file',
      { explanation: 'Add b', filePath: '/a.ts', code: '// ...existing code...\nb' },
      'edit: /a.ts',
    ],
    ['NotebookEdit', { notebook_path: '/n.ipynb', cell_id: 'c', new_source: 'x = 1' }, 'edit: /n.ipynb'],
    ['patch', { patchText: PATCH }, 'edit: a.ts, old.ts'],
    ['submit', { answer: `Done.\n${UNIFIED}` }, 'edit: src/a.ts'],
    ['developer__text_editor', { command: 'create', path: '/a', file_text: 'x' }, 'write: /a'],
  ];
  for (const [name, args, gist] of GISTS) it(`${name} is ${gist}`, () => assert.equal(gistOf(name, args), gist));

  it('are edits, line by line', () => {
    const before = 'a\nb\nc';
    const after = 'a\nB\nc';
    for (const [name, args] of [
      ['Edit', { file_path: 'f', old_string: before, new_string: after }],
      ['replace', { file_path: 'f', old_string: before, new_string: after, expected_replacements: 1 }],
      ['str_replace_editor', { command: 'str_replace', path: 'f', old_str: before, new_str: after }],
      ['edit_file', { path: 'f', edits: [{ oldText: before, newText: after }] }],
      ['edit', { filePath: 'f', oldString: before, newString: after }],
      ['apply_patch', { type: 'update_file', path: 'f', diff: ' a\n-b\n+B\n c' }],
      ['replace_string_in_file', { filePath: 'f', oldString: before, newString: after, explanation: 'x' }],
      ['MultiEdit', { file_path: 'f', edits: [{ old_string: before, new_string: after, replace_all: true }] }],
      ['developer__text_editor', { command: 'str_replace', path: 'f', old_str: before, new_str: after }],
      ['some_edit', { path: 'f', old_text: before, new_text: after }],
    ] as const)
      assert.deepEqual(linesOf(name, args), [' a', '-b', '+B', ' c'], name);
    assert.deepEqual(linesOf('str_replace_editor', { command: 'insert', path: 'f', insert_line: 2, new_str: 'x' }), [
      '@after line 2',
      '+x',
    ]);
    const blocks = '<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE';
    assert.deepEqual(linesOf('replace_in_file', { path: 'f', diff: blocks }), ['@@@', '-b', '+B']);
  });

  it('are edits of several files', () => {
    const edit = (filePath: string): Json => ({ filePath, oldString: 'b', newString: 'B' });
    const several = { explanation: 'x', replacements: [edit('one.ts'), edit('two.ts')] };
    assert.equal(gistOf('multi_replace_string_in_file', several), 'edit: one.ts, two.ts');
    assert.deepEqual(linesOf('multi_replace_string_in_file', several), ['@one.ts', '-b', '+B', '@two.ts', '-b', '+B']);
    assert.deepEqual(linesOf('shell', { command: ['apply_patch', PATCH] })?.slice(1, 6), [
      ...['@*** Update File: a.ts', '@@@', ' a', '-b', '+B'],
    ]);
  });

  it('tell the folder of a command and the file of an edit, and hide no other argument', () => {
    assert.equal(viewOf('shell', { command: ['ls'], workdir: '/repo' })?.cwd, '/repo');
    assert.equal(viewOf('shell', { command: ['apply_patch', PATCH], workdir: '/repo' })?.cwd, '/repo');
    assert.equal(viewOf('Read', { file_path: '/a.ts' })?.file, '/a.ts');
    assert.equal(viewOf('read_multiple_files', { paths: ['a', 'b'] })?.file, undefined);
    assert.deepEqual(viewOf('some_edit', { command: 'x', path: 'f', old_text: 'a', new_text: 'b' })?.others, [
      'command: x',
    ]);
  });

  it('are bounded: long edits, many edits and patterns of any text', () => {
    assert.equal(viewOf('apply_patch', { input: `*** Begin Patch\n${'+\n'.repeat(6_000)}` }), undefined);
    const edits = Array.from({ length: 201 }, () => ({ old_string: 'a', new_string: 'b' }));
    assert.equal(viewOf('MultiEdit', { file_path: 'f', edits }), undefined);
    const unlike = (letter: string): string => Array.from({ length: 150 }, (_, line) => `${letter}${line}\n`).join('');
    const slow = Array.from({ length: 12 }, () => ({ old_string: unlike('a'), new_string: unlike('b') }));
    assert.ok(viewOf('MultiEdit', { file_path: 'f', edits: slow }));
    for (const text of ['\n', ' ', '--- a\n', '*** End Patch\n', 'apply_patch <<E\n', "'", '<<<<<<< '])
      for (const name of ['shell_command', 'apply_patch', 'unknown'])
        viewOf(name, {
          command: text.repeat(99_000 / (text.length * 2)),
          input: text.repeat(99_000 / (text.length * 4)),
        });
  });

  it('show the arguments that the rest does not tell', () => {
    assert.deepEqual(
      viewOf('Bash', { command: 'ls', timeout: 5, description: null, run_in_background: true })?.others,
      ['timeout: 5', 'run_in_background: true'],
    );
    assert.deepEqual(viewOf('Grep', { pattern: 'x', '-n': true })?.others, ['-n: true']);
  });

  it('are shown as recorded where the arguments are those of another tool', () => {
    for (const [name, args] of [
      ['bash', { restart: true }],
      ['bash', { command: 7 }],
      ['edit', { text: 'x' }],
      ['read', {}],
      ['lookup_order', { command: 'ls' }],
      ['constructor', { command: 'ls' }],
      ['bash', ['ls']],
      ['write', { path: 'f', content: 'x'.repeat(200_000) }],
    ] as const)
      assert.equal(viewOf(name, args), undefined, name);
  });
});
