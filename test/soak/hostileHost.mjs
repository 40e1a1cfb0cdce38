#!/usr/bin/env node
// node test/soak/hostileHost.mjs [PATTERN…]   adds the hostile files and projects, by their kinds, to a workspace in Restricted
// Mode in the real VS Code, under strace, and opens tapes of each kind in the transcript editor (with a PATTERN: those that match).
// Measures the process of the extension host, whose threads read the tapes: nothing may take 5 s of processor time, or 400 MB
// more than before the first of them, start a process, connect, or write. Needs strace and a build: node esbuild.mjs node webviews.
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
/** Of each kind, this many tapes are opened, from the first to the last. */
const SAMPLED = 3;
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
  'workbench.editor.limit.enabled': true,
  'workbench.editor.limit.value': 1,
};

/** @returns {Map<string, Hostile[]>} those of one kind, `gzip` or `YAML` */
function byKind() {
  const chosen = hostile.filter(({ name }) => patterns.length === 0 || patterns.some((pattern) => pattern.test(name)));
  const kinds = new Map();
  for (const one of chosen) {
    const kind = /^\w+/.exec(one.name)?.[0] ?? '';
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return kinds;
}

/** @param {Hostile[]} tapes */
function sample(tapes) {
  // A path with a line break cannot be typed.
  const typed = tapes.filter(({ kind, file }) => kind === 'tape' && !/\p{Cc}/u.test(file ?? ''));
  if (patterns.length > 0 || typed.length <= SAMPLED) return typed;
  return Array.from({ length: SAMPLED }, (_, at) => typed[Math.round((at * (typed.length - 1)) / (SAMPLED - 1))]);
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

/** @param {import('../harness/vscode/workbench.mjs').Page} page @param {string} file absolute */
async function openPath(page, file) {
  const input = page.locator('.quick-input-widget:visible input').first();
  const folder = path.basename(path.dirname(file));
  const row = page
    .locator('.quick-input-list .monaco-list-row.focused')
    .filter({ hasText: path.basename(file) })
    .filter({ hasText: folder });
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+p');
    const found = await input
      .fill(file, { timeout: 5000 })
      .then(() => row.waitFor({ timeout: 5000 }))
      .then(
        () => true,
        () => false,
      );
    if (found) break;
    if (attempt === 4) throw new Error(`VS Code does not find ${file}`);
  }
  await page.keyboard.press('Enter');
  // The path is in the tooltip, not in what is shown.
  await page.waitForFunction(
    (name) => [...document.querySelectorAll('.tab.active')].some(({ outerHTML }) => outerHTML.includes(`${name}/`)),
    folder,
    { timeout: 10_000 },
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
  console.log(`${held ? 'held ' : 'BROKE'} ${label.padEnd(54)} ${numbers}  ${said.slice(0, 150)}`);
}

const root = mkdtempSync(path.join(tmpdir(), 'tapedeck-hostile-host-'));
const outside = path.join(root, 'outside');
const projects = path.join(root, 'projects');
const trace = path.join(root, 'trace');
const workspace = path.join(root, 'hostile.code-workspace');
for (const folder of [outside, projects, path.join(root, 'user')]) mkdirSync(folder);
writeFileSync(path.join(outside, 'secret.tape.json'), '{"outside": "canary-4711"}');
cpSync(path.join(projectRoot, 'media/sample'), path.join(projects, 'sample'), { recursive: true });
const folders = ['sample'];
const writeWorkspace = () =>
  writeFileSync(workspace, JSON.stringify({ folders: folders.map((name) => ({ path: `projects/${name}` })) }));
writeWorkspace();

const kinds = [...byKind()].map(([kind, members]) => ({
  kind,
  members: members.map((one, at) => {
    const name = `${kind}${String(at).padStart(2, '0')}`;
    const folder = path.join(projects, name);
    mkdirSync(folder);
    one.make(folder, { outside });
    return { ...one, folder };
  }),
}));
const before = { outside: stateOf(outside), projects: stateOf(projects) };

const server = await startCodeServer({
  trust: false,
  settings: SETTINGS,
  userDataDir: path.join(root, 'user'),
  extensionsDir: path.join(root, 'extensions'),
  env: { XDG_STATE_HOME: path.join(root, 'state'), MARKER: path.join(outside, 'ran') },
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
  const rows = page.locator('.pane-body .monaco-list-row');
  await rows.filter({ hasText: 'order_status' }).first().waitFor({ timeout: 90_000 });
  await openPath(page, path.join(projects, 'sample/tapes/order_status.tape.json'));
  const host = await processOf(['--type=extensionHost'], path.join(root, 'state'));
  const first = await measureProcess(host, () => delay(5000));
  console.log(`idle, with the sample listed and one of its tapes open: ${Math.round(first.now)} MB`);
  for (const { kind, members } of kinds) {
    folders.push(...members.map(({ folder }) => path.basename(folder)));
    const listed = await measureProcess(host, writeWorkspace);
    const label = `list of ${members.length} of the kind ${kind}`;
    judge(
      label,
      listed,
      first.now,
      MAX_MS * members.length,
      `after it ${Math.round(listed.now)} MB; ${(await rows.allInnerTexts())
        .map((row) => row.replace(`${projects}/`, ''))
        .join(' | ')
        .replaceAll(/\s+/g, ' ')}`,
    );
    for (const { name, folder, file = '' } of sample(members)) {
      let said = '';
      const used = await measureProcess(host, async () => {
        said = await openPath(page, path.join(folder, file)).then(
          () => textOnceShown(page),
          (error) => `${NOT_OPENED}: ${error.message}`,
        );
      });
      judge(`transcript of ${name}`, used, first.now, MAX_MS, said);
    }
    await shoot(page, `hostile-${kind}`);
  }
  await close();
} finally {
  await server.stop();
}

const { processes, connections } = readTrace(readFileSync(trace, 'utf8'));
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
