// Modules that are bundled in part, or otherwise than they are written.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transform } from 'esbuild';

/** The portable decompressor grows its output as far as the data says; in its place, it stops where the output is full. */
const GROWTH = /var tmp = new Uint8Array\([^;]*;\s*tmp\.set\([^;]*;\s*output\.buffer = tmp;/;
export const boundedBrotli = {
  name: 'bounded-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /brotli[\\/]dec[\\/]decode\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!GROWTH.test(source)) throw new Error(`${path} has changed: find where its output grows`);
      return { contents: source.replace(GROWTH, "throw new Error('Output buffer is not large enough');") };
    });
    onLoad({ filter: /brotli[\\/]dec[\\/]dictionary\.bin\.js$/ }, ({ path }) => {
      const [, base64] = /^export default "([^"]*)"/.exec(readFileSync(path, 'utf8')) ?? [];
      if (base64 === undefined) throw new Error(`${path} has changed: find its dictionary`);
      return { contents: `export default ${JSON.stringify(toBase91(Buffer.from(base64, 'base64')))}` };
    });
    onLoad({ filter: /brotli[\\/]dec[\\/]context\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8').replace(/\/\*.*?\*\//gs, '');
      if (!TABLE.test(source)) throw new Error(`${path} has changed: find its table`);
      return { contents: source.replace(TABLE, (_, numbers) => fromText(numbers.match(/\d+/g))) };
    });
    onLoad({ filter: /brotli[\\/]dec[\\/]prefix\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!RANGES.test(source)) throw new Error(`${path} has changed: find its ranges`);
      return { contents: source.replaceAll(RANGES, (_, list) => rangesFrom(list)) + RANGES_FROM };
    });
    onLoad({ filter: /brotli[\\/]dec[\\/]transform\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!TRANSFORMS.test(source)) throw new Error(`${path} has changed: find its transforms`);
      return { contents: source.replace(TRANSFORMS, () => transformsIn(source)) };
    });
  },
};

const RANGES = /\[\s*(new PrefixCodeRange\([^\]]*)\]/g;

/** Ranges by their sizes alone: each begins where the one before it ends. @param {string} list */
function rangesFrom(list) {
  const ranges = Array.from(list.matchAll(/\((\d+), (\d+)\)/g), ([, offset, bits]) => [Number(offset), Number(bits)]);
  if (ranges.some(([offset, bits], at) => at < ranges.length - 1 && offset + 2 ** bits !== ranges[at + 1][0]))
    throw new Error('the ranges have changed: they do not follow each other');
  return `rangesOf(${ranges[0][0]}, ${JSON.stringify(ranges.map(([, bits]) => bits))})`;
}
const RANGES_FROM = `
function rangesOf(offset, sizes) {
  return sizes.map((bits) => {
    const range = new PrefixCodeRange(offset, bits);
    offset += 1 << bits;
    return range;
  });
}`;

const TRANSFORMS = /(?<=var kTransforms = )\[[^;]*?\](?=;)/;
const TRANSFORM = /new Transform\(\s*("(?:[^"\\]|\\.)*"),\s*(\w+),\s*("(?:[^"\\]|\\.)*")\s*\)/g;

/** The transforms as one text, where a call of a constructor each takes three times as much. @param {string} source */
function transformsIn(source) {
  const kinds = Object.fromEntries(
    Array.from(source.matchAll(/var (k\w+) *= (\d+);/g), ([, name, kind]) => [name, kind]),
  );
  const textOf = (literal) => JSON.parse(literal.replaceAll("\\'", "'").replaceAll('\\x', '\\u00'));
  const all = Array.from(source.matchAll(TRANSFORM), ([, prefix, kind, suffix]) => [
    textOf(prefix),
    kinds[kind],
    textOf(suffix),
  ]);
  if (all.length !== 121 || all.flat().some((one) => /[~|]/.test(one))) throw new Error('the transforms have changed');
  const text = all.map((one) => one.join('~')).join('|');
  return `${JSON.stringify(text)}.split('|').map((one) => { const all = one.split('~'); return new Transform(all[0], +all[1], all[2]); })`;
}

const TABLE = /new Uint8Array\(\[([\d\s,]*)\]\)/;

/** A table of numbers below 64 as a text with a character for each, where a list takes more than two. @param {readonly string[]} numbers */
function fromText(numbers) {
  if (numbers.some((number) => Number(number) > 63)) throw new Error('a table has changed: it has large numbers');
  const text = String.fromCharCode(...numbers.map((number) => Number(number) + 40));
  return `Uint8Array.from(${JSON.stringify(text)}, (one) => one.charCodeAt(0) - 40)`;
}

/** The characters from `#` to `~` without the backslash, which a JavaScript string has to escape: 91 of them, which `FROM_BASE_91` reads. */
const BASE_91 = Array.from({ length: 92 }, (_, code) => String.fromCharCode(35 + code)).filter((one) => one !== '\\');

/** Two characters for 13 bits: base64 would take an eighth more. The end is filled with zeros. @param {Buffer} bytes */
function toBase91(bytes) {
  let [text, word, bits] = ['', 0, 0];
  for (const byte of [...bytes, 0, 0]) {
    word = (word << 8) | byte;
    bits += 8;
    if (bits < 13) continue;
    bits -= 13;
    const value = word >> bits;
    text += BASE_91[Math.floor(value / 91)] + BASE_91[value % 91];
    word &= (1 << bits) - 1;
  }
  return text;
}
const FROM_BASE_91 = `text => {
  const digit = at => text.charCodeAt(at) - 35 - (text.charCodeAt(at) > 92);
  const bytes = new Uint8Array(text.length * 13 >> 4);
  let [word, bits, to] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 2) {
    word = word << 13 | digit(at) * 91 + digit(at + 1);
    for (bits += 13; bits > 7; word &= (1 << bits) - 1) bytes[to++] = word >> (bits -= 8);
  }
  return bytes;
}`;

/** Its form for browsers is made of modules, of which only those that are used get into a bundle. */
export const yamlModules = {
  name: 'yaml-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^yaml$/ }, () => ({ path: resolve('node_modules/yaml/browser/dist/index.js') }));
  },
};

/** Packages of which a line is used: the keys of JavaScript's syntax tree, of which TOML's parser wants a merge, and base64, in which only brotli's dictionary is written. */
const SMALLER = {
  'eslint-visitor-keys': 'export const unionWith = (keys) => keys;',
  'base64-js': `export default { toByteArray: ${FROM_BASE_91} };`,
};
export const smallerModules = {
  name: 'smaller-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${Object.keys(SMALLER).join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'smaller',
    }));
    onLoad({ filter: /.*/, namespace: 'smaller' }, ({ path }) => ({ contents: SMALLER[path] }));
  },
};

/** The MCP server has a JSON schema validator for questions to the user, which Tapedeck asks none: 130 kB. */
export const withoutValidator = {
  name: 'without-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'without-validator' }));
    onLoad({ filter: /.*/, namespace: 'without-validator' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/** The names in packages are shortened. Those of the source are kept, for stack traces. */
export const shorterPackages = {
  name: 'shorter-packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true, target: 'node20' });
      return { contents: code };
    });
  },
};

/**
 * VS Code's API as it is. An import of it is a copy of its several hundred names, made anew for every file that imports it:
 * a third of what activating took.
 */
export const vscodeApi = {
  name: 'vscode-api',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/](?:host[\\/].*|extension[^\\/]*)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        "import * as vscode from 'vscode';",
        "const vscode = /* @__PURE__ */ require('vscode');",
      ),
      loader: 'ts',
    }));
  },
};
