import type { languages } from 'monaco-editor/editor';

/** Enough of JSON to colour it. Monaco's own JSON language comes with a second worker of a megabyte. */
export const jsonTokens: languages.IMonarchLanguage = {
  tokenPostfix: '.json',
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"(?:[^"\\]|\\.)*"/, 'string.value'],
      [/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
    ],
  },
};
