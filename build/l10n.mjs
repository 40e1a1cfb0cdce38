#!/usr/bin/env node
// npm run l10n            writes the messages of the source to l10n/bundle.l10n.json, and lists what is not translated.
// npm run l10n -- --pseudo   writes a language as well in which a text that is not translated stands out: qps-ploc.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENGLISH = 'l10n/bundle.l10n.json';

/** What the manifest names for each language: a picture with words in it, snippets. */
export const FILE = /^(?:\.\/)?media\//;

/** A literal, as Biome writes them. */
const TEXT = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
const MESSAGE = new RegExp(String.raw`(?<![\w.#$])(?:t|message|sentence)\(\s*(${TEXT})\s*[,)]`, 'g');
const COUNTED = new RegExp(String.raw`(?<![\w.#$])counted\([^'"\`;]*?,\s*(${TEXT}),\s*(${TEXT})\s*[,)]`, 'g');
const PLURAL = new RegExp(String.raw`(?<![\w.#$])plural\([^'"\`;]*?,\s*(${TEXT})\s*\)`, 'g');

/**
 * The messages of a source text.
 * @param {string} code
 * @returns {readonly string[]}
 */
export function messagesIn(code) {
  const texts = (pattern) => [...code.matchAll(pattern)].map(([, ...literals]) => literals.map(textOf));
  return [
    ...texts(MESSAGE).flat(),
    ...texts(COUNTED).flat(),
    ...texts(PLURAL).flatMap(([noun]) => [`{0} ${noun}`, `{0} ${noun}s`]),
  ];
}

/** The functions whose own arguments are messages. */
const TRANSLATING = /(?<![\w.#$])(?:t|message|sentence|counted|plural)$/;
/** Where a text begins in compiled code, or a parenthesis. A division is no pattern: it stands after a value. */
const IN_CODE =
  /(?<=[(,=:[!&|?{};]|return )\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/[a-z]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[`{}()]/g;
const IN_TEMPLATE = /\\[\s\S]|`|\$\{/g;
/** Two words, or one as a title is written. */
const WORDS = /[A-Za-z]{2,}[,;:.]? (?:\{\} )?[A-Za-z]{2,}|^[A-Z][a-z]+(?:-[a-z]+)*[.!]?$/;

/**
 * The texts of words in a source that are handed to none of the functions that translate; `{}` stands for a value in a
 * template. It reads what is compiled, which has neither types nor comments, and in which the texts of JSX are literals.
 * @param {string} path
 * @param {string} code
 * @returns {readonly string[]}
 */
export function untranslatedIn(path, code) {
  const { code: compiled } = transformSync(code, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minifyWhitespace: true,
  });
  return literalsIn(compiled)
    .filter(({ text, before }) => WORDS.test(text) && !/\bclass:[^,]*$/.test(before))
    .map(({ text }) => text);
}

/** The literals outside of those functions, each with the code before it. */
function literalsIn(code) {
  const found = [];
  const open = [];
  let at = 0;
  for (;;) {
    const top = open.at(-1);
    const next = top?.kind === '`' ? IN_TEMPLATE : IN_CODE;
    next.lastIndex = at;
    const match = next.exec(code);
    if (match === null) return found;
    const { 0: token, index } = match;
    const before = code.slice(Math.max(0, index - 80), index);
    at = index + token.length;
    if (next === IN_TEMPLATE) {
      if (token.startsWith('\\')) continue;
      top.text += code.slice(top.from, index);
      if (token === '`') found.push(...(open.pop().isMessage ? [] : [top]));
      else open.push({ kind: '{', isMessage: false });
    } else if (token === '`') open.push({ kind: '`', isMessage: top?.isMessage, before, text: '', from: at });
    else if (token === '(') open.push({ kind: '(', isMessage: TRANSLATING.test(before) });
    else if (token === '{') open.push({ kind: '{', isMessage: false });
    else if (token === ')' || token === '}') {
      open.pop();
      const outer = open.at(-1);
      if (outer?.kind === '`') Object.assign(outer, { text: `${outer.text}{}`, from: at });
    } else if (!token.startsWith('/') && !top?.isMessage) found.push({ text: textOf(token), before });
  }
}

/**
 * The TypeScript below folders, by its path.
 * @param {readonly string[]} folders
 * @returns {readonly (readonly [path: string, code: string])[]}
 */
export function sourceFiles(folders) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((path) => join(folder, path)),
  );
  const read = (path) => /** @type {const} */ ([path, readFileSync(join(ROOT, path), 'utf8')]);
  return paths.filter((path) => /\.tsx?$/.test(path)).map(read);
}

/**
 * All messages of the source, sorted.
 * @returns {readonly string[]}
 */
export function sourceMessages() {
  return [...new Set(sourceFiles(['src', 'webview-ui']).flatMap(([, code]) => messagesIn(code)))].sort();
}

/**
 * A bundle, or the texts of the manifest.
 * @param {string} path such as `l10n/bundle.l10n.zh-cn.json`
 * @returns {Readonly<Record<string, string>>}
 */
export function readMessages(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/**
 * A message that can be told from one that was forgotten; its placeholders, commands and links stay.
 * @param {string} text
 * @returns {string}
 */
export function pseudo(text) {
  if (FILE.test(text)) return text;
  const accents = { a: 'å', e: 'é', i: 'î', o: 'ö', u: 'ü', A: 'Å', E: 'É', I: 'Î', O: 'Ö', U: 'Ü' };
  const parts = text.split(/(\{\d+\}|\]\([^)]*\)|`[^`]*`|\$\([a-z-]+\))/);
  return `⟦${parts.map((part, index) => (index % 2 ? part : part.replace(/[aeiou]/gi, (one) => accents[one]))).join('')}⟧`;
}

function textOf(literal) {
  return new Function(`return ${literal}`)();
}

const write = (path, messages) => writeFileSync(join(ROOT, path), `${JSON.stringify(messages, null, 2)}\n`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const messages = sourceMessages();
  const manifest = readMessages('package.nls.json');
  write(ENGLISH, Object.fromEntries(messages.map((text) => [text, text])));
  for (const [path, keys] of [
    ['l10n/bundle.l10n.zh-cn.json', messages],
    ['package.nls.zh-cn.json', Object.keys(manifest)],
  ]) {
    const translated = readMessages(path);
    const missing = keys.filter((key) => !(key in translated));
    console.log(`${path}: ${keys.length - missing.length} of ${keys.length} messages`);
    for (const key of missing) console.log(`  not translated: ${key}`);
  }
  if (process.argv.includes('--pseudo')) {
    write('l10n/bundle.l10n.qps-ploc.json', Object.fromEntries(messages.map((text) => [text, pseudo(text)])));
    write(
      'package.nls.qps-ploc.json',
      Object.fromEntries(Object.entries(manifest).map(([key, text]) => [key, pseudo(text)])),
    );
  }
}
