import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative, sep } from 'node:path';
import { projectFolder } from './corpus';
import { cyclesOf, importsOf, leaks, violations } from './sourceRules';

/** The sources below a folder of the project, by their path from it. */
function sources(folder: string): Map<string, string> {
  const files = readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true });
  const scripts = files.filter((file) => file.isFile() && /\.(ts|tsx|mts|js|mjs)$/.test(file.name));
  return new Map(
    scripts.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(projectFolder, file).split(sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}

const code = new Map([...sources('src'), ...sources('webview-ui')]);
const lineCount = (text: string): number => text.trimEnd().split('\n').length;

describe('the layers', () => {
  it('import one way, and go around no door', () => {
    assert.ok(code.size > 50, 'the sources were found');
    assert.deepEqual(
      [...code].flatMap(([path, text]) => violations(path, text)),
      [],
    );
  });

  it('have no cycle of folders or files, at any depth, types included', () => assert.deepEqual(cyclesOf(code), []));

  it('meet in a short extension.ts', () => {
    for (const path of ['src/extension.ts', 'src/extension.web.ts'])
      assert.ok(lineCount(code.get(path) ?? '') <= 100, `${path} has ${lineCount(code.get(path) ?? '')} lines`);
  });

  it('make nothing of Intl while they load, which takes each start some milliseconds', () => {
    const made = [...code].filter(([, text]) => /^(?:export )?const [^=]*= new Intl\./m.test(text));
    assert.deepEqual(
      made.map(([path]) => path),
      [],
    );
  });
});

describe('the committed files', () => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' });
  const tracked =
    status === 0 ? stdout.split('\0').filter((path) => path && existsSync(join(projectFolder, path))) : [];
  if (tracked.length === 0) {
    it('NOT TESTED: this is not a git checkout');
    return;
  }

  it('say nothing about the machine they were written on', () => {
    const found = tracked.flatMap((path) => {
      const bytes = readFileSync(join(projectFolder, path));
      return bytes.includes(0) ? [] : leaks(path, bytes.toString('utf8'), hostname());
    });
    assert.deepEqual(found, []);
  });
});

describe('the scan for imports', () => {
  const forms: Record<string, string[]> = {
    "import a from 'x'": ['x'],
    'import { a,\n  type B } from "x"': ['x'],
    "import * as a from 'x';": ['x'],
    "import 'x'": ['x'],
    "import'x'": ['x'],
    "import type { A } from 'x'": ['type x'],
    "export * from 'x'": ['x'],
    "export { a } from 'x'": ['x'],
    "export type { A } from 'x'": ['type x'],
    "import a = require('x')": ['x'],
    "const a = require( 'x' )": ['x'],
    "const a = await import('x')": ['x'],
    "import {a} from 'x';import {b} from 'y'": ['x', 'y'],
    "import { a } from 'x' // import { b } from 'z'": ['x'],
    "/* import 'x' */ import 'y'": ['y'],
    "// it's a trap\nimport 'y'": ['y'],
    "export const from = 'x'": [],
    "export const a = 1;\nconst b = ' from ';": [],
    'const text = "import \'x\'"': [],
    'import.meta.url': [],
  };
  for (const [text, expected] of Object.entries(forms)) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const found = importsOf(text).map(({ specifier, typeOnly }) => (typeOnly ? `type ${specifier}` : specifier));
      assert.deepEqual(found, expected);
    });
  }
});

describe('the search for cycles', () => {
  const cycles = (files: Readonly<Record<string, string>>) =>
    cyclesOf(new Map(Object.entries(files))).map(({ folder, members }) => `${folder}: ${members.join(' ')}`);

  it('finds files that import each other, by types or dynamically', () => {
    const files = { 'src/a.ts': "import type { B } from './b'", 'src/b.ts': "const a = await import('./a')" };
    assert.deepEqual(cycles(files), ['src: a.ts b.ts']);
    assert.deepEqual(cycles({ ...files, 'src/b.ts': "type A = typeof import('./a')" }), ['src: a.ts b.ts']);
  });

  it('finds folders that import each other, though no files do', () => {
    assert.deepEqual(
      cycles({
        'src/x/deep/a.ts': "import { b } from '../../y/b'",
        'src/x/c.ts': '',
        'src/y/b.ts': '',
        'src/y/d.ts': "import { c } from '../x/c'",
      }),
      ['src: x y'],
    );
  });

  it('finds a folder and a file beside it that import each other, and longer ways around', () => {
    assert.deepEqual(
      cycles({
        'src/x/a.ts': "import { b } from '../b'",
        'src/b.ts': "import { c } from './c'",
        'src/c.ts': "import { d } from './x/d'",
        'src/x/d.ts': '',
      }),
      ['src: b.ts c.ts x'],
    );
  });

  it('finds none where imports go one way', () => {
    assert.deepEqual(
      cycles({
        'src/x/a.ts': "import { b } from './b'\nimport { c } from '../y/c'",
        'src/x/b.ts': "import { c } from '../y/c'",
        'src/y/c.ts': "import { d } from 'd'",
      }),
      [],
    );
  });
});

describe('the rules', () => {
  const forbidden: readonly (readonly [path: string, text: string])[] = [
    ['src/core/a.ts', "import * as vscode from 'vscode'"],
    ['src/core/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['src/core/a.ts', "import fs from 'fs'"],
    ['src/core/a.ts', "import type { Guard } from '../contracts/rpc'"],
    ['src/core/a.ts', "import { x } from 'lodash'"],
    ['src/core/tapes/a.ts', "import { x } from '../../engine/main'"],
    ['src/core/a.ts', 'const home = process.env.HOME'],
    ['src/core/a.ts', "const bytes = Buffer.from('x')"],
    ['src/core/cases/a.ts', "import { mofaFormat } from '../tapes/formats/mofa/index'"],
    ['src/engine/proxy/a.ts', "import type { X } from '../../core/tapes/formats/vcrpy/read'"],
    ['src/core/tapes/formats/mofa/a.ts', "import { x } from '../reyn/keys'"],
    ['src/core/tapes/formats/shared/a.ts', "import { x } from '../reyn/keys'"],
    ['src/core/flakestorm/a.ts', "import { x } from '../tapes/formats/flakestorm/read'"],
    ['src/contracts/a.ts', "import { prettyJson } from '../core/json/json'"],
    ['src/contracts/a.ts', "import type { X } from '../host/runs/x'"],
    ['src/contracts/a.ts', "import { x } from 'diff'"],
    ['src/engine/a.ts', "import type { Uri } from 'vscode'"],
    ['src/engine/a.ts', "import { x } from '../host/runs/x'"],
    ['src/engine/a.ts', "import { x } from '../../webview-ui/base/x'"],
    ['src/host/runs/a.ts', "import { spawn } from 'node:child_process'"],
    ['src/host/runs/a.ts', "import { x } from '../review/x'"],
    ['src/host/runs/a.ts', "const x = await import('../review/x')"],
    ['src/host/runs/a.ts', "import { x } from '../../engine/x'"],
    ['src/host/runs/a.ts', "import { x } from '../../../webview-ui/base/x'"],
    ['src/host/runs/a.ts', "import { x } from '../../extension'"],
    ['src/host/base/a.ts', "import { x } from '../stores/x'"],
    ['src/host/base/a.ts', "import { x } from '../runs/x'"],
    ['src/host/stores/a.ts', "import { x } from '../runs/x'"],
    ['src/extension.ts', "import { x } from './engine/x'"],
    ['src/extension.ts', "import { join } from 'node:path'"],
    ['webview-ui/transcript/a.tsx', "import { x } from '../review/x'"],
    ['webview-ui/review/a.tsx', "import { x } from '../transcript/x'"],
    ['webview-ui/base/a.tsx', "import { x } from '../review/x'"],
    ['webview-ui/review/a.tsx', "import { x } from '../../src/host/review/x'"],
    ['webview-ui/review/a.tsx', "import { x } from 'node:path'"],
    ['webview-ui/review/a.tsx', "import * as vscode from 'vscode'"],
    ['src/elsewhere/a.ts', ''],
    ['src/utils.ts', ''],
    ['src/engine/a.ts', 'const name = "x"; await import(name)'],
    ['src/engine/a.ts', "import { join, relative } from 'node:path'"],
    ['src/engine/a.ts', "import { sep } from 'node:path'"],
    ['src/engine/a.ts', "const name = path.split('/').at(-1)"],
    ['src/engine/a.ts', "const name = path.split('\\\\').at(-1)"],
    ['src/reader/a.ts', "const slashed = path.replaceAll('\\\\', '/')"],
    ['src/engine/a.ts', 'const x: any = 1'],
    ['src/engine/a.ts', 'const x = y as any'],
    ['src/engine/a.ts', 'const x = new Map<string, any>()'],
    ['src/engine/a.ts', 'function f(list: any[]): void {}'],
    ['src/engine/a.ts', 'type X<T extends any> = T'],
  ];
  for (const [path, text] of forbidden)
    it(`forbid ${JSON.stringify(text)} in ${path}`, () => assert.notDeepEqual(violations(path, text), []));

  const aroundDoors: readonly (readonly [path: string, text: string])[] = [
    ['src/engine/cases/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['src/engine/cases/a.ts', "import { readFileSync } from 'fs'"],
    ['src/engine/cases/a.ts', "const { open } = await import('node:fs/promises')"],
    ['src/engine/commands/a.ts', "import { gzipSync } from 'node:zlib'"],
    ['src/reader/a.ts', "import { readFileSync } from 'node:fs'"],
    ['src/core/tapes/a.ts', "import { gunzipSync } from 'fflate'"],
    ['src/core/wire/a.ts', "import { decompress } from 'brotli/decompress'"],
    ['src/core/wire/a.ts', "import { Decompress } from 'fzstd'"],
    ['src/engine/proxy/a.ts', "import { request } from 'node:http'"],
    ['src/engine/proxy/a.ts', "import * as https from 'https'"],
    ['src/engine/proxy/a.ts', "import { connect } from 'node:net'"],
    ['src/engine/proxy/a.ts', "import { connect } from 'node:tls'"],
    ['src/engine/proxy/a.ts', "import { lookup } from 'node:dns/promises'"],
    ['src/engine/flakestorm/a.ts', 'const response = await fetch(url)'],
    ['src/engine/flakestorm/a.ts', 'const response = await globalThis.fetch(url)'],
    ['src/engine/flakestorm/a.ts', 'const socket = new WebSocket(url)'],
    ['webview-ui/transcript/a.ts', 'await fetch(url)'],
    ['src/engine/git/a.ts', "import { spawn } from 'node:child_process'"],
    ['src/engine/git/a.ts', "const { fork } = require('child_process')"],
    ['src/engine/cases/a.ts', "import { Worker } from 'node:worker_threads'"],
    ['src/engine/process/a.ts', "import { runInThisContext } from 'node:vm'"],
    ['src/engine/process/a.ts', 'eval(text)'],
    ['src/core/text/a.ts', "const run = new Function('a', text)"],
    ['src/core/text/a.ts', "const run = Function('a', text)"],
    ['src/core/match/a.ts', 'const pattern = new RegExp(text)'],
    ['src/engine/proxy/a.ts', "const pattern = RegExp(source, 'g')"],
    ['src/engine/cases/a.ts', "import { writeInProject } from '../files/writeFile'"],
    ['src/engine/commands/a.ts', "import { rememberDecision } from '../review/decisionFile'"],
    ['src/engine/rpc/a.ts', "import { DecisionHistory } from '../review/decisionHistory'"],
    ['src/engine/commands/a.ts', "import { FileSubject } from '../review/fileSubject'"],
    ['src/engine/agentTools/a.ts', "import { RunSubject } from '../review/runSubject'"],
    ['src/engine/commands/a.ts', "const { stageReviewed } = await import('../review/staging')"],
    ['src/engine/cases/a.ts', "import { writeBaseline } from '../../core/cases/artifactFile'"],
    ['src/engine/commands/a.ts', "import { decide, writeDecisions } from '../../core/review/decisions'"],
    ['src/engine/files/a.ts', "import { open, rename } from 'node:fs/promises'"],
    ['src/engine/files/a.ts', "import { mkdirSync } from 'node:fs'"],
    ['src/engine/files/a.ts', 'await replaceFile(path as WritablePath, text)'],
    ['src/engine/proxy/a.ts', "import { replaceFile } from '../files/changeFile'"],
    ['src/engine/review/a.ts', "import { writeInProject } from '../files/writeFile'"],
    ['src/engine/cases/a.ts', "import { writeArtifact } from '../../core/cases/artifactFile'"],
    ['src/engine/stability/a.ts', "import { spliceTape } from '../../core/tapes/spliceTape'"],
    ['src/engine/proxy/a.ts', 'const text = format.serialise(name, interactions)'],
    ['src/engine/proxy/a.ts', "import { searchedContent } from '../recording/recordedContent'"],
    ['src/engine/cases/a.ts', 'await writeRecorded(root, path, text as unknown as RecordedContent)'],
    ['src/engine/proxy/a.ts', 'recorded.push(interaction as Hidden<RecordedInteraction>)'],
    ['src/engine/cases/a.ts', "import { copiedContent } from '../recording/recordedContent'"],
    ['src/engine/commands/a.ts', "const { createRedactor } = await import('../../core/secrets/redactor')"],
    ['src/engine/cases/a.ts', 'const content = recorder.baseline(artifact)'],
    ['src/engine/files/writeFile.ts', 'await rm(path, { recursive: true, force: true })'],
    ['src/engine/files/userState.ts', 'rmSync(path, { force: true, recursive: true })'],
    ['src/engine/recording/a.ts', 'await removeFolder(path as OwnFolder)'],
    ['src/engine/recording/a.ts', "import { filesBelow } from '../files/fileStatus'"],
    ['src/engine/recording/a.ts', 'for (const id of await listFolder(join(root, JOURNAL_FOLDER))) read(id)'],
    ['src/engine/trials/a.ts', 'const text = await readTextIfThere(join(root, LAST_TRIAL_PATH), 1)'],
    ['src/engine/cases/a.ts', "walkFiles([join(root, STATE_FOLDER, 'runs')], options)"],
  ];
  for (const [path, text] of aroundDoors)
    it(`forbid the way around a door: ${JSON.stringify(text)} in ${path}`, () => {
      const [found, ...others] = violations(path, text);
      assert.match(found ?? '', /goes around the door of "/);
      assert.deepEqual(others, []);
    });

  const allowed: readonly (readonly [path: string, text: string])[] = [
    ['src/engine/files/a.ts', "import { relative, sep } from 'node:path'\nconst names = path.split(sep)"],
    ['src/engine/network/a.ts', "const names = url.pathname.split('/')"],
    ['src/engine/a.ts', "import { join } from 'node:path'\nimport { relative } from './relative'"],
    ['src/engine/files/a.ts', "import { readFile } from 'node:fs/promises'\nimport { gunzipSync } from 'node:zlib'"],
    ['src/reader/readFile.ts', "import { readFileSync } from 'node:fs'"],
    ['src/core/bytes/a.ts', "import { gunzipSync } from 'fflate'"],
    ['src/engine/network/a.ts', "import { request } from 'node:http'\nawait fetch(url)"],
    [
      'src/engine/proxy/a.ts',
      "import type { IncomingMessage } from 'node:http'\nthis.fetch(1); prefetch(2); #fetch(3)",
    ],
    ['src/engine/flakestorm/a.ts', "type Client = typeof import('node:http')"],
    ['src/engine/process/a.ts', "import { spawn } from 'node:child_process'"],
    ['src/core/text/a.ts', 'const pattern = new RegExp(text)'],
    ['src/core/match/a.ts', 'function run(pattern: RegExp): void {}'],
    ['src/reader/main.ts', "import { parentPort } from 'node:worker_threads'"],
    ['src/engine/recording/a.ts', "import { writeInProject } from '../files/writeFile'"],
    ['src/engine/recording/a.ts', 'await writeRecorded(root, join(root, LAST_TRIAL_PATH), content)'],
    ['src/engine/recording/a.ts', 'const text = await new OwnState(root).readText(LAST_TRIAL_PATH, 1)'],
    ['src/engine/review/a.ts', "import { writeDecisions } from '../../core/review/decisions'"],
    [
      'src/engine/commands/a.ts',
      "import { Reviews } from '../review/decide'\nimport { listReviews } from '../review/changedReviews'",
    ],
    ['src/host/stores/a.ts', "import { readDecisions } from '../../core/review/decisions'"],
    ['src/engine/cases/a.ts', "import { readText } from '../files/readFile'\nconst evaluate = retrieval(1)"],
    ['src/core/tapes/a.ts', "import { parse } from 'smol-toml'\nimport { x } from '../json/json'"],
    [
      'src/core/a.ts',
      '// process.env is not used; "Buffer.from" is a text\nconst a = this.process.run("Buffer.from(x)")',
    ],
    ['src/core/tapes/registry.ts', "import { mofaFormat } from './formats/mofa/index'"],
    ['src/core/tapes/formats/mofa/a.ts', "import { x } from './write'\nimport { y } from '../shared/storedBody'"],
    ['src/core/tapes/edits/a.ts', "import { x } from '../formats/shared/storedBody'"],
    ['src/core/flakestorm/a.ts', "import { x } from '../tapes/formats/flakestorm/session'"],
    ['src/contracts/a.ts', "import type { Json } from '../core/json/json'\nimport { isText } from './guards'"],
    ['src/engine/a.ts', "import { join } from 'node:path'\nimport { version } from '../../package.json'"],
    ['src/engine/a.ts', "import { x } from '../core/a'\nimport { y } from '../contracts/b'"],
    ['src/engine/a.ts', 'const x = Promise.any([]) // any: thing\nconst many = "x: any"\nconst anything = { any: 1 }'],
    ['src/host/engine/engineProcess.ts', "import { spawn } from 'node:child_process'"],
    [
      'src/host/runs/a.ts',
      "import { x } from '../base/x'\nimport { y } from '../stores/y'\nimport * as vscode from 'vscode'",
    ],
    ['src/host/stores/a.ts', "import { x } from '../base/x'\nimport { y } from './y'"],
    ['src/extension.web.ts', "import { x } from './host/tapes/x'\nimport * as vscode from 'vscode'"],
    ['webview-ui/review/a.tsx', "import { x } from '../base/x'\nimport './a.css'\nimport { h } from 'preact/hooks'"],
    ['webview-ui/review/a.tsx', "import type { x } from '../../src/core/review/changes'"],
    ['webview-ui/review/a.tsx', "const { editor } = await import('monaco-editor/editor')"],
  ];
  for (const [path, text] of allowed)
    it(`allow ${JSON.stringify(text)} in ${path}`, () => assert.deepEqual(violations(path, text), []));

  const user = ['', 'home', 'someone', 'project'].join('/');
  const registry = ['registry', 'npmjs', 'org'].join('.');
  const revealing: readonly (readonly [path: string, text: string])[] = [
    ['README.md', `See ${user}.`],
    ['a.ts', `const folder = '${user}'`],
    ['a.json', `{"file": "file://${user}"}`],
    ['.npmrc', `//${registry}/`],
    ['package-lock.json', '{"resolved": "https://mirror.example/x.tgz"}'],
    ['notes.md', 'It runs on build-machine-7.'],
  ];
  for (const [path, text] of revealing)
    it(`find what ${path} reveals`, () => assert.equal(leaks(path, text, 'build-machine-7').length, 1));

  it('do not mind what only looks like it', () => {
    const texts = [
      'https://example.com/home/page',
      './home/x',
      'src/work/a',
      '/workspace/a',
      '"resolved": "file:../x"',
    ];
    for (const text of texts) assert.deepEqual(leaks('package-lock.json', text, 'vm'), [], text);
  });
});
