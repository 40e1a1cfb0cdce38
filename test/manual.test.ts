import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { paletteTitles } from '../build/editorTables';
import { manualPages, packagedManual, packagedPage } from '../build/manual.mjs';
import { readCase } from '../src/core/cases/toml/readCase';
import { readConfig } from '../src/core/project/readConfig';
import { commands } from '../src/engine/commands/commands';
import { parseArguments } from '../src/engine/commands/parseArguments';
import { projectFolder } from './corpus';

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const pages = manualPages(read('README.md'));
const texts: ReadonlyMap<string, string> = new Map(['README.md', ...pages].map((path) => [path, read(path)]));
const lineCount = (text: string): number => text.trimEnd().split('\n').length;

/** A text without its blocks of code. */
const prose = (text: string): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

interface Example {
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

/** The blocks of code of all pages. */
const examples: readonly Example[] = [...texts].flatMap(([path, text]) =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ 1: indent = '', 2: language = '', 3: code = '', index }) => ({
      place: `${path}:${lineCount(text.slice(0, index + 1))}`,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
);
const examplesIn = (language: string): readonly Example[] => examples.filter((one) => one.language === language);

/** The anchors of the headings of a page, as GitHub and VS Code make them. */
function anchorsIn(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

/** The links of some pages that lead nowhere. `find` has the text of a file; undefined where there is none. */
function brokenLinks(
  some: Iterable<readonly [path: string, text: string]>,
  find: (path: string) => string | undefined,
): readonly string[] {
  return [...some].flatMap(([path, text]) =>
    [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [, file = '', anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? [];
      const found = find(file === '' ? path : posix.join(posix.dirname(path), file));
      const isThere = found !== undefined && (anchor === undefined || anchorsIn(found).includes(anchor));
      return isThere ? [] : [`${path}: ${target}`];
    }),
  );
}

describe('the manual', () => {
  it('is a README of at most 130 lines, and pages of at most 300', () => {
    assert.ok(lineCount(read('README.md')) <= 130, `the README has ${lineCount(read('README.md'))} lines`);
    const long = pages.filter((path) => lineCount(read(path)) > 300);
    assert.deepEqual(long, []);
  });

  it('links to each of its pages from the README, and each leads back', () => {
    const all = readdirSync(join(projectFolder, 'docs')).map((name) => `docs/${name}`);
    assert.deepEqual([...pages].sort(), all.sort());
    const dead = pages.filter((path) => !read(path).trimEnd().endsWith('\n[All pages](../README.md#where-to-go-on)'));
    assert.deepEqual(dead, []);
  });

  it('has no link that leads nowhere', () => {
    const find = (path: string) => {
      if (!existsSync(join(projectFolder, path))) return undefined;
      return path.endsWith('.md') ? read(path) : '';
    };
    assert.deepEqual(brokenLinks(texts, find), []);
  });

  it('has no link that leads nowhere, or out of the package, where it is installed', () => {
    const packaged = packagedManual(read, {});
    assert.deepEqual(
      brokenLinks(packaged, (path) => packaged.get(path)),
      [],
    );
    assert.ok((packaged.get('MANUAL.md') ?? '').match(/\]\(docs\//g)?.length ?? 0 > pages.length);
    const cli = packagedPage('docs/command-line.md', read, {});
    assert.match(cli, /\]\(docs\/json\.md\)/);
    assert.deepEqual(
      brokenLinks([['README.md', cli]], (path) => (path === 'README.md' ? cli : packaged.get(path))),
      [],
    );
  });

  it('does not tell who has installed it to build it', () => {
    const installed = packagedManual(read, {}).get('MANUAL.md') ?? '';
    assert.match(read('README.md'), /npm start/);
    assert.doesNotMatch(installed, /npm (?:start|ci|run)|Install from VSIX|only in the project/);
    assert.match(installed, /^## Licence$/m);
  });

  it('names commands of VS Code as the palette does', () => {
    const manifest = JSON.parse(read('package.json'));
    const words = JSON.parse(read('package.nls.json'));
    const shown = [...Object.values<string>(words), ...Object.keys(JSON.parse(read('l10n/bundle.l10n.zh-cn.json')))];
    const known = new Set([...paletteTitles(manifest, words), ...shown]);
    const wrong = [...texts].flatMap(([path, text]) =>
      [...prose(text).matchAll(/\*\*([^*]+)\*\*/g)]
        .map(([, name = '']) => name.replaceAll(/\s+/g, ' '))
        .filter((name) => /^Tapedeck: |…$/.test(name) && !name.startsWith('Extensions: ') && !known.has(name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('describes each command of the palette', () => {
    const rows = read('docs/vs-code.md').match(/^\| Tapedeck.*$/gm) ?? [];
    assert.ok(rows.length > 50);
    assert.deepEqual(
      rows.filter((row) => !row.includes('](')),
      [],
    );
  });
});

describe('the examples of the manual', () => {
  it('are there', () => assert.ok(examples.length > 20));

  // That of pytest is of another program.
  for (const { place, code } of examplesIn('toml').filter((one) => !one.code.startsWith('[tool.')))
    it(`${place} is a case, or the settings of a project`, () => {
      const { problems } = /^prompt = /m.test(code) ? readCase(code) : readConfig(code);
      assert.deepEqual(problems, []);
    });

  for (const { place, code } of examplesIn('json')) it(`${place} is JSON`, () => assert.ok(JSON.parse(code)));
  for (const { place, code } of examplesIn('yaml')) it(`${place} is YAML`, () => assert.ok(parseYaml(code)));
  for (const { place, code } of examplesIn('python'))
    it(`${place} is Python`, function () {
      const { error, status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
        input: code,
        encoding: 'utf8',
      });
      if (error) return this.skip();
      assert.equal(status, 0, stderr);
    });

  const blocks = examplesIn('sh').flatMap(({ place, code }) => code.split('\n').map((line) => [place, line] as const));
  const inline = [...texts].flatMap(([path, text]) =>
    [...prose(text).matchAll(/`(tapedeck [^`]+)`/g)].map(([, line = '']) => [path, line] as const),
  );
  for (const [place, line] of [...blocks, ...inline].filter(([, one]) =>
    /^tapedeck (?!COMMAND|--)(?!.*--help)/.test(one),
  ))
    it(`${place}: ${line} is a command line`, async () => {
      const [, name, ...words] = wordsOf(line.replaceAll(/\s+/g, ' '));
      const command = commands.find((one) => one.name === name);
      assert.ok(command, `there is no command ${name}`);
      const end = words.indexOf('--');
      parseArguments((await command.load()).options, end < 0 ? words : words.slice(0, end));
    });
});

/** The words of a line for a shell, up to its comment. */
function wordsOf(line: string): readonly string[] {
  const [code = ''] = line.split(/\s#\s/);
  return [...code.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}
