#!/usr/bin/env node
// node --import tsx test/counts.ts [--list]   counts the source: its size, its functions, and how its files import each other.
// --list also names the files beside their only importer, and the exports that nobody imports.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectFolder } from './corpus';
import { importsOf } from './sourceRules';

const SOURCE = ['src', 'webview-ui'];
const USERS = ['test', 'build'];

function textsIn(folders: readonly string[]): Map<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const scripts = paths.filter((path) => /\.(?:ts|tsx|mts|mjs|js)$/.test(path));
  return new Map(scripts.map((path) => [path, readFileSync(join(projectFolder, path), 'utf8')]));
}

const source = textsIn(SOURCE);
const all = new Map([...source, ...textsIn(USERS)]);

/** The file of ours that an import leads to. */
function resolved(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = normalize(join(dirname(from), specifier));
  return [path, `${path}.ts`, `${path}.tsx`, `${path}.mts`, join(path, 'index.ts')].find((each) => all.has(each));
}

const importers = new Map([...all.keys()].map((path) => [path, new Set<string>()]));
for (const [path, text] of all)
  for (const { specifier } of importsOf(text)) importers.get(resolved(path, specifier) ?? '')?.add(path);

const importersIn = (path: string): string[] => [...(importers.get(path) ?? [])].filter((each) => source.has(each));

/** Those that no test imports either, which would make them an idea of their own. */
const besideOnlyImporter = [...source.keys()].filter((path) => {
  const [only, ...others] = [...(importers.get(path) ?? [])];
  return only !== undefined && others.length === 0 && dirname(only) === dirname(path);
});

const depths = new Map<string, number>();
/** The length of the longest chain of imports that begins at a file. There are no cycles. */
function depthOf(path: string): number {
  const known = depths.get(path);
  if (known !== undefined) return known;
  depths.set(path, 0);
  const next = importsOf(source.get(path) ?? '').map(({ specifier }) => resolved(path, specifier));
  const depth = 1 + Math.max(0, ...next.flatMap((each) => (each && source.has(each) ? [depthOf(each)] : [])));
  depths.set(path, depth);
  return depth;
}

const EXPORTED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
/** What VS Code and test runners load: their exports are for these. */
const ENTRIES = /^src\/(?:extension[^/]*\.ts|start\/extension\.ts|runners\/javascript\/.*)$/;
/** Names that no other file says which imports theirs. `isTested` leaves out those that only tests say. */
const unimported = (among: (path: string) => boolean): string[] =>
  [...source].flatMap(([path, text]) =>
    (ENTRIES.test(path) ? [] : [...text.matchAll(EXPORTED)]).flatMap(([, name = '']) => {
      const word = new RegExp(`\\b${name}\\b`);
      const isSaid = [...(importers.get(path) ?? [])].some((each) => among(each) && word.test(all.get(each) ?? ''));
      return isSaid ? [] : [`${path}: ${name}`];
    }),
  );

/** How a function with a body of several lines begins, and functions on one line; the formatter sets the end below the beginning. */
const BEGINNING =
  /^(\s*)(?:export )?(?:default )?(?:static |override |private |async |get |set )*(?:function\b|#?\w+\(.*\)(?::.*)? \{$|constructor\b|.*=> \{$)/;
const ONE_LINE = /=> (?!\{$)\S|^\s*(?:async |get |set )*#?\w+\(.*\).*\{ .* \}$/;

function lengthsOf(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const indent = BEGINNING.exec(line)?.[1];
    if (indent === undefined || /^\s*(?:if|for|while|switch|catch|else|\})/.test(line))
      return ONE_LINE.test(line) ? [1] : [];
    const end = lines.findIndex((other, below) => below > at && other.startsWith(`${indent}}`));
    return [end === -1 ? 1 : end - at + 1];
  });
}

const lines = [...source.values()].flatMap((text) => text.trimEnd().split('\n'));
const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line);
const lengths = [...source.values()].flatMap(lengthsOf).sort((left, right) => left - right);
const dead = unimported(() => true);
const onlyTested = unimported((path) => source.has(path)).length - dead.length;
const counted = {
  files: source.size,
  lines: lines.length,
  'lines of code': lines.filter(isCode).length,
  functions: lengths.length,
  'lines of the median function, of those with several': lengths.filter((each) => each > 1)[
    Math.floor(lengths.filter((each) => each > 1).length / 2)
  ],
  'files with one importer': [...source.keys()].filter((path) => importersIn(path).length === 1).length,
  'of those beside it, and in no test': besideOnlyImporter.length,
  'longest chain of imports': Math.max(...[...source.keys()].map(depthOf)),
  'exports that only tests import': onlyTested,
  'exports that nobody imports': dead.length,
};
for (const [name, count] of Object.entries(counted)) console.log(`${String(count).padStart(8)}  ${name}`);
if (process.argv.includes('--list'))
  console.log(
    ['', 'Beside their only importer:', ...besideOnlyImporter, '', 'Imported by nobody:', ...dead].join('\n'),
  );
