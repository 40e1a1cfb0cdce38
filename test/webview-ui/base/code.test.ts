import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CodeLanguage, languageOfBlock, languageOfFile } from '../../../webview-ui/base/code/codeLanguage';
import { isColourable } from '../../../webview-ui/base/code/codeToken';
import { codeTokens } from '../../../webview-ui/base/code/highlighter';

const LANGUAGES = [
  ...(['bash', 'c', 'cpp', 'css', 'diff', 'dockerfile', 'go', 'ini', 'java', 'javascript', 'kotlin', 'lua'] as const),
  ...(['makefile', 'php', 'python', 'ruby', 'rust', 'scss', 'sql', 'swift', 'typescript', 'xml', 'yaml'] as const),
];

function colours(text: string, language: Exclude<CodeLanguage, 'json'>): readonly (readonly [string, string])[] {
  return codeTokens(text, language).flatMap(({ kind, text: token }) =>
    kind === undefined ? [] : [[kind, token] as const],
  );
}

describe('code in colours', () => {
  it('has the kinds of its pieces', () => {
    assert.deepEqual(colours("def price(text):  # in EUR\n    return float('1.5') + 2", 'python'), [
      ['keyword', 'def'],
      ['name', 'price'],
      ['comment', '# in EUR'],
      ['keyword', 'return'],
      ['type', 'float'],
      ['string', "'1.5'"],
      ['number', '2'],
    ]);
    const typescript = colours('export const a: Map<string, number> = new Map(); // none', 'typescript');
    for (const one of [
      ['keyword', 'export'],
      ['comment', '// none'],
      ['type', 'string'],
    ] as const)
      assert.ok(
        typescript.some((found) => String(found) === String(one)),
        String(one),
      );
    assert.deepEqual(colours('key: "value"', 'yaml'), [
      ['key', 'key:'],
      ['string', '"value"'],
    ]);
  });

  it('has a language in another one', () => {
    const found = colours('<script>const a = 1;</script>', 'xml');
    assert.ok(
      found.some(([kind, token]) => kind === 'keyword' && token === 'const'),
      JSON.stringify(found),
    );
  });

  it('is the whole text, whatever the text is', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '${',
      '}',
      '<a',
      '>',
      '/*',
      '*/',
      '//',
      '\n',
      ' ',
      '#',
      'a',
      '1',
      '\\',
      '(',
      ')',
      '\u{1f600}',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...LANGUAGES), (code, language) => {
        assert.equal(
          codeTokens(code, language)
            .map((token) => token.text)
            .join(''),
          code,
        );
      }),
    );
  });

  it('has the language that its block or its file names', () => {
    const named = {
      ts: 'typescript',
      PY: 'python',
      sh: 'bash',
      jsonc: 'json',
      'c++': 'cpp',
      brainfuck: undefined,
      '': undefined,
    };
    for (const [name, language] of Object.entries(named)) assert.equal(languageOfBlock(name), language, name);
    const files = {
      'src/price.test.ts': 'typescript',
      'C:\\work\\main.GO': 'go',
      Dockerfile: 'dockerfile',
      'k8s/deployment.yaml': 'yaml',
      'tapedeck.toml': 'ini',
      'notes.txt': undefined,
      '.gitignore': undefined,
      'py/': undefined,
    };
    for (const [path, language] of Object.entries(files)) assert.equal(languageOfFile(path), language, path);
  });

  it('has none where colours cost more than they are worth', () => {
    assert.equal(isColourable('const a = 1;\n'.repeat(700)), true);
    assert.equal(isColourable('const a = 1;\n'.repeat(900)), false);
    assert.equal(isColourable(`${'a'.repeat(201)}\n`), false);
  });
});
