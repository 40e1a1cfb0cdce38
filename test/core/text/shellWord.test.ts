import * as assert from 'node:assert/strict';
import { shellWord } from '../../../src/core/text/shellWord';

describe('a word of a command in a message', () => {
  const words: readonly (readonly [text: string, word: string])[] = [
    ['cases/a.toml', 'cases/a.toml'],
    ['C:/p/a.toml', 'C:/p/a.toml'],
    ['/messages/0/content', '/messages/0/content'],
    ['my cases/a b.toml', '"my cases/a b.toml"'],
    ["it's.toml", '"it\'s.toml"'],
    ['ä日本.toml', '"ä日本.toml"'],
    ['a&b|c;d<e>f^g.toml', '"a&b|c;d<e>f^g.toml"'],
    ['(a)[0]{b}*?~.toml', '"(a)[0]{b}*?~.toml"'],
    // PowerShell makes lists of what has commas, and variables of what begins with @.
    ['a,b', '"a,b"'],
    ['@a', '"@a"'],
    ['#a', '"#a"'],
    ['', '""'],
    ['$HOME.toml', "'$HOME.toml'"],
    ['`id`.toml', "'`id`.toml'"],
    ['!a', "'!a'"],
    ['%PATH% a', "'%PATH% a'"],
    ['a\\b', "'a\\b'"],
    ['say "it\'s"', "'say \"it'\\''s\"'"],
    // To PowerShell, these are double quotes too.
    ['“a”', "'“a”'"],
    ['a\nb', "$'a\\012b'"],
  ];
  for (const [text, word] of words)
    it(`is ${word} for ${JSON.stringify(text)}`, () => assert.equal(shellWord(text), word));
});
