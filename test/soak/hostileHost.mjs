#!/usr/bin/env node
// node test/soak/hostileHost.mjs [PATTERN…]   opens the hostile files and projects in Restricted Mode in the real VS Code, under
// strace: a window for each four of a kind, to which their folders are added one by one, and in which each tape is opened in the
// transcript editor (with a PATTERN: those that match). Measures the process of the extension host, whose threads read the tapes:
// nothing may take 5 s of processor time, or 400 MB more than before the first of the kind, start a process, connect, or write.
// VS Code's own JSON extension checks nothing meanwhile: its server answers late, with a million diagnostics that take 500 MB.
// Needs strace and a build: node esbuild.mjs node webviews.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import 'tsx/cjs';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { projectRoot } from '../harness/vscode/versions.mjs';
import { openWorkbench, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';
import { hostile } from './hostileFiles.mjs';
import { measureProcess, processOf } from './hostMeasures.mjs';
import { withoutOwn } from './ownProcesses.mjs';

const { readTrace } = createRequire(import.meta.url)('../harness/hostTrace.ts');

const MAX_MS = 5000;
const MAX_MB = 400;
const NOT_OPENED = 'NOT OPENED';
const SHOWN_MS = 60_000;
/** Of a folder whose row is out of sight, this is waited for in vain. */
const LISTED_MS = 20_000;
/** So many share an extension host, which does not return the memory of earlier ones to the system. */
const IN_A_WINDOW = 4;
const patterns = process.argv.slice(2).map((pattern) => new RegExp(pattern));

/** @typedef {{name: string, kind: string, file?: string, make: (folder: string, places: object) => void}} Hostile */

/** Every hostile tape is listed, and opened as a transcript. */
const SETTINGS = {
  'workbench.editorAssociations': {
    '*.tape.json': 'tapedeck.transcript',
    '*.{json,jsonl,yaml,har}': 'tapedeck.transcript.optional',
    '*.{eval,gz}': 'tapedeck.transcript.packed',
  },
  'tapedeck.tapes': ['**/*.{json,jsonl,gz,yaml,har,eval}'],
  'json.validate.enable': false,
  'workbench.editor.limit.enabled': true,
  'workbench.editor.limit.value': 1,
};

/** @returns {Map<string, Hostile[]>} those of one kind, `gzip` or `YAML` */
function byKind() {
  const chosen = hostile.filter(
    ({ name, kind }) => kind !== 'pair' && (patterns.length === 0 || patterns.some((pattern) => pattern.test(name))),
  );
  const kinds = new Map();
  for (const one of chosen) {
    const kind = /^\w+/.exec(one.name)?.[0] ?? '';
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return kinds;
}

/** Path, size and time of change of everything, links not followed. @param {string} folder @returns {Map<string, string>} */
function stateOf(folder) {
  const state = new Map();
  const visit = (/** @type {string} */ at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      if (entry.name === '.tapedeck' && at.startsWith(`${folder}/`)) continue;
      const { size, ctimeMs } = lstatSync(file);
      state.set(path.relative(folder, file), entry.isDirectory() ? 'folder' : `${size} ${ctimeMs}`);
      if (entry.isDirectory()) visit(file);
    }
  };
  visit(folder);
  return state;
}

/** @param {Map<string, string>} before @param {Map<string, string>} after */
const changes = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

/**
 * Has VS Code open a file as its command line does, by the socket of the extension host: a path may have a line break.
 * @param {import('../harness/vscode/workbench.mjs').Page} page @param {{runtime: string, port: number}} window @param {string} file
 */
async function openPath(page, { runtime, port }, file) {
  const socketPath = readdirSync(runtime)
    .filter((name) => name.startsWith('vscode-ipc-'))
    .map((name) => path.join(runtime, name))
    .sort((left, right) => lstatSync(right).ctimeMs - lstatSync(left).ctimeMs)[0];
  if (socketPath === undefined) throw new Error('the extension host has no socket');
  const place = file.split('/').map(encodeURIComponent).join('/');
  const order = { type: 'open', fileURIs: [`vscode-remote://127.0.0.1:${port}${place}`], forceReuseWindow: true };
  await new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/', method: 'POST' }, (answer) => {
      answer.resume().on('end', () => resolve(undefined));
    });
    call.on('error', reject).end(JSON.stringify(order));
  });
  // The path is in the tooltip, not in what is shown.
  await page.waitForFunction(
    (name) => [...document.querySelectorAll('.tab.active')].some(({ outerHTML }) => outerHTML.includes(`${name}/`)),
    path.basename(path.dirname(file)),
    { timeout: SHOWN_MS },
  );
}

/** What is shown, at most so many characters. @param {import('../harness/vscode/workbench.mjs').Page} page */
async function shownText(page) {
  const webview = await webviewFrame(page)
    .locator('body')
    .evaluate((body) => body.innerText.slice(0, 2000), undefined, { timeout: 10_000 })
    .catch(() => '');
  const editor = page.locator('.editor-instance').first();
  const text = webview.trim() || (await editor.innerText({ timeout: 2000 }).catch(() => ''));
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A tape of many megabytes reaches the host late: the process is quiet before that. @param {import('../harness/vscode/workbench.mjs').Page} page */
async function textOnceShown(page) {
  for (const deadline = Date.now() + SHOWN_MS; Date.now() < deadline; await delay(500)) {
    const text = await shownText(page);
    if (text !== '') return text;
  }
  return `${NOT_OPENED}: shows nothing`;
}

let faults = 0;
/** @param {string} label @param {{ms: number, mb: number}} used @param {number} idle @param {number} maxMs @param {string} said */
function judge(label, { ms, mb }, idle, maxMs, said) {
  const more = mb - idle;
  const held = ms <= maxMs && more <= MAX_MB && !said.startsWith(NOT_OPENED);
  if (!held) faults += 1;
  const numbers = `${String(ms).padStart(6)} ms  +${String(Math.round(more)).padStart(4)} MB`;
  console.log(`${held ? 'held ' : 'BROKE'} ${label.padEnd(54)} ${numbers}  ${said.slice(0, 240)}`);
}

const root = mkdtempSync(path.join(tmpdir(), 'hostile-host-'));
const outside = path.join(root, 'outside');
const projects = path.join(root, 'projects');
const extensionsDir = path.join(root, 'extensions');
for (const folder of [outside, projects]) mkdirSync(folder);
writeFileSync(path.join(outside, 'secret.tape.json'), '{"outside": "canary-4711"}');
cpSync(path.join(projectRoot, 'media/sample'), path.join(projects, 'sample'), { recursive: true });

/** A workspace of some of the projects. @param {string} workspace @param {readonly string[]} folders */
const writeWorkspace = (workspace, folders) =>
  writeFileSync(workspace, JSON.stringify({ folders: folders.map((name) => ({ path: `projects/${name}` })) }));

/** @param {import('../harness/vscode/workbench.mjs').Page} page */
const rows = (page) => page.locator('.pane-body .monaco-list-row');

/** @param {import('../harness/vscode/workbench.mjs').Page} page the rows of the sidebar, in a line */
async function listedRows(page) {
  const texts = await rows(page).allInnerTexts();
  return texts
    .map((row) => row.replace(`${projects}/`, ''))
    .join(' | ')
    .replaceAll(/\s+/g, ' ');
}

/** What the view says above its rows, such as a limit. @param {import('../harness/vscode/workbench.mjs').Page} page */
async function toldLimit(page) {
  const texts = await page.locator('.tree-explorer-viewlet-tree-view > .message').allInnerTexts();
  return texts.filter((text) => text.trim() !== '').join(' ');
}

/**
 * Lists some folders of one kind and opens their tapes, in a window of their own.
 * @param {string} kind @param {string} name @param {(Hostile & {folder: string})[]} members @param {string} trace
 */
async function judgeWindow(kind, name, members, trace) {
  const runtime = path.join(root, `r-${name}`);
  const state = path.join(root, `state-${name}`);
  const workspace = path.join(root, `${name}.code-workspace`);
  mkdirSync(runtime);
  writeWorkspace(workspace, ['sample']);
  const server = await startCodeServer({
    trust: false,
    settings: SETTINGS,
    userDataDir: path.join(root, `user-${name}`),
    extensionsDir,
    env: { XDG_STATE_HOME: state, XDG_RUNTIME_DIR: runtime, MARKER: path.join(outside, 'ran') },
    tracer: [
      ...['strace', '-f', '--seccomp-bpf', '-qq', '-s', '400', '-o', trace],
      ...['-e', 'trace=execve,connect,sendto,fork,vfork,clone,clone3'],
    ],
  });
  try {
    const { page, close } = await openWorkbench({ server, workspace, extensionDevelopmentPath: projectRoot });
    await page
      .locator('.activitybar .action-item')
      .filter({ has: page.locator('a[aria-label^="Tapedeck"]') })
      .click();
    await rows(page).filter({ hasText: 'order_status' }).first().waitFor({ timeout: 120_000 });
    const window = { runtime, port: server.port };
    await openPath(page, window, path.join(projects, 'sample/tapes/order_status.tape.json'));
    const host = await processOf(['--type=extensionHost'], state);
    const { now: idle } = await measureProcess(host, () => delay(5000));
    console.log(`${kind}: ${Math.round(idle)} MB with the sample listed and one of its tapes open`);
    const folders = ['sample'];
    for (const { name: project, folder } of members) {
      folders.push(path.basename(folder));
      const listed = await measureProcess(host, async () => {
        writeWorkspace(workspace, folders);
        await rows(page)
          .filter({ hasText: path.basename(folder) })
          .first()
          .waitFor({ timeout: LISTED_MS })
          .catch(() => {});
      });
      const told = await toldLimit(page);
      const after = `after it ${Math.round(listed.now)} MB; ${told === '' ? '' : `told: ${told} `}${await listedRows(page)}`;
      judge(`list with ${project}`, listed, idle, MAX_MS, after);
    }
    for (const { name: tape, folder, file = '' } of members.filter((one) => one.kind === 'tape')) {
      let said = '';
      const used = await measureProcess(host, async () => {
        said = await openPath(page, window, path.join(folder, file)).then(
          () => textOnceShown(page),
          (error) => `${NOT_OPENED}: ${error.message}`,
        );
      });
      judge(`transcript of ${tape}`, used, idle, MAX_MS, said);
    }
    await shoot(page, `hostile-${name}`);
    await close();
  } finally {
    await server.stop();
  }
}

/** @param {string} kind @param {Hostile[]} members */
function windowsOf(kind, members) {
  const made = members.map((one, at) => {
    const folder = path.join(projects, `${kind}${String(at).padStart(2, '0')}`);
    mkdirSync(folder);
    one.make(folder, { outside });
    return { ...one, folder };
  });
  const starts = made.flatMap((_, at) => (at % IN_A_WINDOW === 0 ? [at] : []));
  return starts.map((start) => ({ kind, name: `${kind}${start}`, members: made.slice(start, start + IN_A_WINDOW) }));
}

const windows = [...byKind()].flatMap(([kind, members]) => windowsOf(kind, members));
const before = { outside: stateOf(outside), projects: stateOf(projects) };
const traces = [];
for (const { kind, name, members } of windows) {
  const trace = path.join(root, `trace-${name}`);
  await judgeWindow(kind, name, members, trace).catch((error) => {
    faults += 1;
    console.log(`BROKE ${kind}: ${error.message}`);
  });
  if (existsSync(trace)) traces.push(readTrace(readFileSync(trace, 'utf8')));
  rmSync(trace, { force: true });
}

const processes = traces.flatMap((trace) => trace.processes);
const connections = traces.flatMap((trace) => trace.connections);
const written = [
  ...changes(before.outside, stateOf(outside)).map((file) => `outside/${file}`),
  ...changes(before.projects, stateOf(projects)).map((file) => `projects/${file}`),
];
const others = withoutOwn(processes);
const shown = (/** @type {readonly string[]} */ list) => [...new Set(list)].slice(0, 10).join('\n  ') || 'none';
console.log(`processes besides ${processes.length - others.length} of VS Code's own: ${shown(others)}`);
console.log(`connections: ${shown(connections)}`);
console.log(`written: ${shown(written)}; programs of a project ran: ${existsSync(path.join(outside, 'ran'))}`);
faults += others.length + connections.length + written.length;
console.log(faults === 0 ? 'All held.' : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
rmSync(root, { recursive: true, force: true });
