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
    ] as const)
      assert.deepEqual(linesOf(name, args), [' a', '-b', '+B', ' c'], name);
    assert.deepEqual(linesOf('str_replace_editor', { command: 'insert', path: 'f', insert_line: 2, new_str: 'x' }), [
      '@after line 2',
      '+x',
    ]);
    const blocks = '<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE';
    assert.deepEqual(linesOf('replace_in_file', { path: 'f', diff: blocks }), ['@@@', '-b', '+B']);
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
