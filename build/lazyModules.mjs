// What is loaded when it is first used, though the source imports it at once.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Modules of their own, which their `require` loads when they are first used: esbuild would put them into the chunk that asks for them. */
export const LAZY = ['re2js', 'fflate', 'fzstd', 'toml-eslint-parser'];
export const lazyModules = {
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${LAZY.join('|')})$`) }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : undefined,
    );
    onResolve({ filter: new RegExp(`^(?:${Object.keys(STAND_INS).join('|')})$`) }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lazy' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({ contents: STAND_INS[path].join('\n') }));
  },
};
/** What is imported in place of a module, and loads it when it is first used. */
const STAND_INS = {
  // To be loaded, its tables cost a quarter of what reading small tapes does; most tapes are not compressed.
  fflate: [
    ...['deflateSync', 'gzipSync', 'zlibSync'].map(
      (name) => `export const ${name} = (...all) => require('fflate').${name}(...all);`,
    ),
    ...['Gunzip', 'Inflate', 'Unzlib'].map((name) => lazyClass('fflate', name)),
  ],
  fzstd: [lazyClass('fzstd', 'Decompress')],
  // It finds the positions in a TOML text, for problems and edits.
  'toml-eslint-parser': [
    "export const parseTOML = (...all) => require('toml-eslint-parser').parseTOML(...all);",
    "export const ParseError = { [Symbol.hasInstance]: (error) => error instanceof require('toml-eslint-parser').ParseError };",
  ],
};

/** @param {string} module @param {string} name */
function lazyClass(module, name) {
  return `export function ${name}(...all) { return new (require('${module}').${name})(...all); }`;
}

/**
 * Modules of functions that are loaded when one of these is first called, because what loads them mostly gets by without: a recorder
 * that only hides secrets in requests, and a matcher of requests over HTTP, read no protocol. Their names beside those of packages.
 */
export const LATER = {
  readExchange: 'src/core/wire/read/readExchange.ts',
  redactExchange: 'src/core/secrets/redactExchange.ts',
  redactStream: 'src/core/secrets/redactStream.ts',
  recordExchange: 'src/engine/recording/recordExchange.ts',
  writeToolResults: 'src/core/cases/toml/writeToolResults.ts',
  compilePattern: 'src/core/text/compilePattern.ts',
  digest: 'src/core/hash/digest.ts',
};
export const laterModules = {
  name: 'later-modules',
  setup({ onResolve, onLoad }) {
    const names = new Map(Object.entries(LATER).map(([name, path]) => [resolve(path), name]));
    onResolve({ filter: new RegExp(`/(?:${Object.keys(LATER).join('|')})$`) }, ({ path, kind, resolveDir }) => {
      const name = names.get(resolve(resolveDir, `${path}.ts`));
      return name !== undefined && kind === 'import-statement' ? { path: name, namespace: 'later' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({ contents: callingLater(path) }));
    onResolve({ filter: new RegExp(`^(?:${Object.keys(LATER).join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : undefined,
    );
  },
};

/** The functions of a module, each of which loads it. @param {string} name */
function callingLater(name) {
  const source = readFileSync(LATER[name], 'utf8');
  const [, ...others] = /^export (?!(?:async )?function|interface|type)(.*)/m.exec(source) ?? [];
  if (others.length > 0) throw new Error(`${LATER[name]} exports more than functions: ${others}`);
  const functions = [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(
    ([, own]) => `export function ${own}(...all) { return load().${own}(...all); }`,
  );
  return `let loaded;\nfunction load() { return (loaded ??= require('${name}')); }\n${functions.join('\n')}`;
}
