import { basename, dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** @typedef {import('esbuild').OutputFile} OutputFile @typedef {import('esbuild').Metafile} Metafile */
/** @typedef {{exports: string[], imports: {path: string, kind: string}[]}} Chunk */

/**
 * esbuild makes a chunk for each set of entries that share some modules, and a dynamic import is an entry: half a hundred files
 * for one start, where the host takes about a millisecond for each. What `entry` loads at once becomes two: what the
 * `others` may load as well, and what only this entry can. What each of the `starts` loads at once, beside that and what those before it
 * load, becomes one: of a name, the files that begin with these sources have in common.
 * @param {{entry: string, others: string[], starts: Record<string, string[]>, outputFiles: readonly {path: string, text: string}[], metafile: Metafile}} built as ES modules
 * @returns {Promise<{path: string, text: string}[]>} what is to be written
 */
export async function mergeChunks({ entry, others, starts, outputFiles, metafile }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  /** @type {Map<string, Chunk>} */
  const chunks = new Map(
    Object.entries(metafile.outputs).map(([path, { exports, imports }]) => [
      resolve(path),
      {
        exports,
        imports: imports.filter(({ external }) => !external).map((one) => ({ ...one, path: resolve(one.path) })),
      },
    ]),
  );
  /** All that a chunk imports statically, and what that does. @param {string} path */
  const atOnce = (path) => {
    const reached = reachedFrom([path], chunks, ({ kind }) => kind === 'import-statement');
    reached.delete(path);
    return reached;
  };
  const loadedAtOnce = atOnce(resolve(entry));
  const ofOthers = reachedFrom(
    others.map((other) => resolve(other)),
    chunks,
    () => true,
  );
  const groups = {
    all: [...loadedAtOnce].filter((path) => ofOthers.has(path)),
    host: [...loadedAtOnce].filter((path) => !ofOthers.has(path)),
  };
  const dynamic = new Set(
    [...chunks.values()].flatMap(({ imports }) => imports.filter(isDynamic).map(({ path }) => path)),
  );
  /** @type {Set<string>} */
  const merged = new Set();
  for (const [name, paths] of [...Object.entries(groups), ...Object.entries(starts).map(startOf)]) {
    const own = paths.filter((path) => !merged.has(path));
    for (const path of own) merged.add(path);
    if (own.length > 1) await mergeInto(name, own, { texts, chunks, dynamic });
  }
  return [...texts].map(([path, text]) => ({ path, text }));

  /** @param {[string, string[]]} start @returns {[string, string[]]} */
  function startOf([name, sources]) {
    const [first = new Set(), ...rest] = sources.map((source) => {
      const [path = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
      return atOnce(resolve(path));
    });
    return [name, [...first].filter((path) => rest.every((set) => set.has(path)))];
  }
}

const isDynamic = ({ kind }) => kind === 'dynamic-import';

/** @param {string[]} starts @param {Map<string, Chunk>} chunks @param {(one: {kind: string}) => boolean} follows @returns {Set<string>} */
function reachedFrom(starts, chunks, follows) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const one of chunks.get(path)?.imports ?? []) if (follows(one)) visit(one.path);
  };
  starts.forEach(visit);
  return reached;
}

/** Puts the modules at `paths` into one, and has all that import them import that. */
async function mergeInto(name, paths, { texts, chunks, dynamic }) {
  const target = resolve('dist/chunks', `${name}.js`);
  const names = uniqueNames(paths, chunks);
  const exported = paths.map((path) => `export { ${pairs(names.get(path))} } from ${JSON.stringify(path)};`);
  texts.set(target, await bundle(exported.join('\n'), new Map(paths.map((path) => [path, texts.get(path) ?? '']))));
  for (const path of paths) texts.delete(path);
  for (const [path, text] of texts) if (path !== target) texts.set(path, importing(path, text, names, target));
  // What is also imported when it is needed keeps its names.
  for (const path of paths.filter((one) => dynamic.has(one)))
    texts.set(path, `export { ${pairs(names.get(path), true)} } from "./${basename(target)}";`);
}

/** @returns {Map<string, Map<string, string>>} by module, for each of its names that of the merged module */
function uniqueNames(paths, chunks) {
  const taken = new Set();
  const unique = (name, number = 2) => {
    const candidate = number === 2 ? name : `${name}_${number}`;
    if (taken.has(candidate)) return unique(name, number + 1);
    taken.add(candidate);
    return candidate;
  };
  return new Map(paths.map((path) => [path, new Map(chunks.get(path).exports.map((name) => [name, unique(name)]))]));
}

const pairs = (names, backwards = false) =>
  [...names].map(([own, merged]) => (backwards ? `${merged} as ${own}` : `${own} as ${merged}`)).join(', ');

/** @param {string} contents imports of `modules`, by their paths @param {Map<string, string>} modules @returns {Promise<string>} */
async function bundle(contents, modules) {
  const inMemory = {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        const absolute = path.startsWith('.') ? resolve(dirname(importer), path) : path;
        if (modules.has(absolute)) return { path: absolute, namespace: 'file' };
        // Where it will be: all chunks are in one folder.
        return {
          path: path.startsWith('.') ? `./${basename(absolute)}` : path,
          external: true,
          sideEffects: kind !== 'import-statement',
        };
      });
      onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => ({ contents: modules.get(path), loader: 'js' }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('dist/chunks'), sourcefile: 'merged.js' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [inMemory],
  });
  return outputFiles[0].text;
}

const IMPORT = /\bimport\s*(?:\{([^{}]*)\}\s*from\s*)?"(\.[^"]*\.js)"/g;

/** The text of a module that imports from the merged one at `target` what it imported from those in it. */
function importing(path, text, names, target) {
  const place = relative(dirname(path), target).replaceAll('\\', '/');
  const address = place.startsWith('.') ? place : `./${place}`;
  return text.replace(IMPORT, (whole, list, from) => {
    const merged = names.get(resolve(dirname(path), from));
    if (!merged) return whole;
    if (list === undefined) return `import"${address}"`;
    const renamed = list.split(',').map((one) => {
      const [own, local = own] = one.trim().split(/\s+as\s+/);
      return `${merged.get(own)} as ${local}`;
    });
    return `import{${renamed.join(',')}}from"${address}"`;
  });
}
