#!/usr/bin/env node
// node test/soak/restrictedMode.mjs   uses every feature in a hostile workspace in Restricted Mode, in the real VS Code, under strace.
// Lists each process that the extension host starts and each connection that it opens. Exit code 1 when one is Tapedeck's, or a
// file of the workspace has changed. A second, trusted run shows that the same reading of the trace sees the engine.
// Needs strace, git, Chromium, and a build: node esbuild.mjs node web webviews worker.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import 'tsx/cjs';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { projectRoot } from '../harness/vscode/versions.mjs';
import { openWorkbench, runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';
import { withoutOwn } from './ownProcesses.mjs';

const { openFile } = createRequire(import.meta.url)('../harness/keyboard.ts');
const { readTrace } = createRequire(import.meta.url)('../harness/hostTrace.ts');

/** Nothing listens here; a packet to it would show in the trace. It is a documentation address of RFC 5737. */
const ELSEWHERE = '192.0.2.7';

/** @param {string} marker a file that any program of the workspace would make */
function hostileFiles(marker) {
  const program = path.join(path.dirname(marker), 'program.sh');
  return {
    program,
    files: {
      '.vscode/settings.json': JSON.stringify({ 'tapedeck.pytest': ['sh', program], 'tapedeck.tapes': ['**/*.json'] }),
      'tapedeck.toml': `[provider]\nkind = "open_ai_compatible"\nbase_url = "http://${ELSEWHERE}/v1"\napi_key_env = "PATH"\n\n[proxy.upstream]\nopenai = "http://${ELSEWHERE}"\n`,
      'cases/command.toml': `name = "command"\nprompt = "p"\n[agent]\ncommand = ["sh", ${JSON.stringify(program)}]\n[llm]\ntape = "../tapes/order_status.tape.json"\n`,
      'cases/service.toml': `name = "service"\nprompt = "p"\n[agent]\nurl = "http://${ELSEWHERE}/run"\n[llm]\ntape = "../tapes/service.tape.json"\n`,
      'cases/missing.toml': `name = "missing"\nprompt = "not recorded"\n[llm]\ntape = "../tapes/order_status.tape.json"\n[llm.replay]\nmatch = "exact"\non_miss = "passthrough"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://${ELSEWHERE}/v1"\napi_key_env = "PATH"\n`,
      'flakestorm.yaml': `agent:\n  endpoint: ${program}\n  type: python\ngolden_prompts:\n  - "Hello"\n`,
      'tests/test_shop.py': 'import pytest\n\n@pytest.mark.vcr\ndef test_shop():\n    pass\n',
      'tests/conftest.py': `open(${JSON.stringify(marker)}, "w")\n`,
      '.gitattributes': '* filter=evil diff=evil\n',
    },
  };
}

/** @param {string} folder @returns {{workspace: string, marker: string}} */
function makeWorkspace(folder) {
  const workspace = path.join(folder, 'hostile');
  const marker = path.join(folder, 'SOMETHING-RAN');
  cpSync(path.join(projectRoot, 'media/sample'), workspace, { recursive: true });
  const { program, files } = hostileFiles(marker);
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat\n`, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  }
  /** @param {readonly string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: workspace });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Soak', '-c', 'user.email=soak@example.invalid', 'commit', '-qm', 'hostile');
  for (const [name, value] of [
    ['core.fsmonitor', program],
    ['core.sshCommand', program],
    ['core.hooksPath', path.dirname(program)],
    ['diff.external', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
  ])
    git('config', name, value);
  writeFileSync(path.join(workspace, 'tapes/refund_question.tape.json'), editedTape(workspace));
  return { workspace, marker };
}

/** @param {string} workspace a tape that differs from its commit, so that there is something to review */
function editedTape(workspace) {
  return readFileSync(path.join(workspace, 'tapes/refund_question.tape.json'), 'utf8').replace('30 days', '31 days');
}

/** @param {string} folder @returns {Map<string, string>} */
function hashes(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex')];
    }),
  );
}

/** Commands that run something where the workspace is trusted. */
const COMMANDS = [
  'Tapedeck: Replay All',
  'Tapedeck: Replay',
  'Tapedeck: Re-record…',
  'Tapedeck: Check Stability…',
  'Tapedeck: Try Other Models…',
  'Tapedeck: Show Last Trial',
  'Tapedeck: Review',
  'Tapedeck: Review Changes',
  'Tapedeck: Recordings Changed Since…',
  'Tapedeck: Stage Accepted',
  'Tapedeck: Restore Rejected',
  'Tapedeck: Refresh',
  'Tapedeck: Show Last Run',
  'Tapedeck: Show Tape Details',
  'Test: Run All Tests',
];

/** @param {import('../harness/vscode/workbench.mjs').Page} page @param {(what: string) => void} used */
async function useEverything(page, used) {
  await page
    .locator('.activitybar .action-item')
    .filter({ has: page.locator('a[aria-label^="Tapedeck"]') })
    .click();
  const rows = page.locator('.pane-body .monaco-list-row');
  await rows.filter({ hasText: 'order_status' }).first().waitFor();
  for (let index = 0; index < (await rows.count()) && index < 30; index++) {
    const row = rows.nth(index);
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
  }
  used(`tree: ${await rows.count()} rows`);
  await openFile(page, 'order_status.tape.json');
  await page.waitForTimeout(2000);
  await webviewFrame(page).getByText('Where is my order 4711?').first().waitFor({ timeout: 90_000 });
  used('transcript');
  await runCommand(page, 'Tapedeck: Open Tape as Text');
  for (const file of [
    'command.toml',
    'missing.toml',
    'service.toml',
    'flakestorm.yaml',
    'test_shop.py',
    'order_status.toml',
  ]) {
    await openFile(page, file);
    await page.waitForTimeout(700);
    used(`editor: ${file}, ${await page.locator('.codelens-decoration a').count()} lenses`);
  }
  for (const title of ['Replay', 'Re-record', 'Review']) {
    const lens = page.locator('.codelens-decoration a').filter({ hasText: title }).first();
    if (!(await lens.isVisible())) continue;
    await lens.click();
    await page.waitForTimeout(700);
    used(`lens: ${title}`);
    await page.keyboard.press('Escape');
  }
  for (const title of COMMANDS) {
    const offered = await runCommand(page, title).then(
      () => true,
      () => false,
    );
    await page.waitForTimeout(1000);
    // What asks for something is given the first choice.
    const input = page.locator('.quick-input-widget:visible input').first();
    if (offered && (await input.isVisible())) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(700);
    }
    used(`command: ${title}${offered ? '' : ' (not offered)'}`);
    await page.keyboard.press('Escape');
  }
  await runCommand(page, 'View: Focus Problems').catch(() => undefined);
  await page.waitForTimeout(1000);
  used(`problems: ${await page.locator('.markers-panel .monaco-list-row').count()} rows`);
}

/** @param {boolean} trust */
async function run(trust) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapedeck-restricted-'));
  try {
    const { workspace, marker } = makeWorkspace(folder);
    const before = hashes(workspace);
    const trace = path.join(folder, 'trace');
    mkdirSync(path.join(folder, 'user'));
    const server = await startCodeServer({
      workspace,
      trust,
      userDataDir: path.join(folder, 'user'),
      extensionsDir: path.join(folder, 'extensions'),
      env: { XDG_STATE_HOME: path.join(folder, 'state') },
      tracer: [
        'strace',
        '-f',
        '-qq',
        '-s',
        '400',
        '-e',
        'trace=execve,connect,sendto,fork,vfork,clone,clone3',
        '-o',
        trace,
      ],
    });
    const used = [];
    try {
      const workbench = await openWorkbench({ server, workspace, extensionDevelopmentPath: projectRoot });
      await (trust ? replayOne(workbench.page) : useEverything(workbench.page, (what) => used.push(what)));
      await shoot(workbench.page, trust ? 'restricted-trusted' : 'restricted');
      await workbench.close();
    } finally {
      await server.stop();
    }
    const after = hashes(workspace);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (file) => before.get(file) !== after.get(file),
    );
    return { ...readTrace(readFileSync(trace, 'utf8')), used, ran: existsSync(marker), changed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('../harness/vscode/workbench.mjs').Page} page */
async function replayOne(page) {
  await openFile(page, 'order_status.toml');
  await page.locator('.codelens-decoration a').filter({ hasText: 'Replay' }).first().click({ timeout: 90_000 });
  await page.waitForTimeout(10_000);
}

/** @param {readonly string[]} texts */
const counted = (texts) => {
  const shown = texts.map((text) => (text.length > 200 ? `${text.slice(0, 200)}…` : text));
  return [...new Set(shown)].map((text) => `  ${shown.filter((one) => one === text).length} × ${text}`);
};

const restricted = await run(false);
console.log(`Restricted Mode, ${restricted.used.length} uses:\n  ${restricted.used.join('\n  ')}`);

console.log(
  `Connections of the extension host and its processes:\n${counted(restricted.connections).join('\n') || '  none'}`,
);
console.log(
  `Changed files of the workspace: ${restricted.changed.join(', ') || 'none'}; programs of the workspace ran: ${restricted.ran}`,
);
const trusted = await run(true);
console.log(`Control, trusted and replayed once:\n${counted(withoutOwn(trusted.processes)).join('\n')}`);

const others = withoutOwn(restricted.processes);
const isClean =
  others.length === 0 && restricted.connections.length === 0 && !restricted.ran && restricted.changed.length === 0;
const seesEngine = trusted.processes.some((command) => command.includes('engine.js'));
const own = restricted.processes.length - others.length;
console.log(
  `Processes of the extension host besides ${own} of VS Code's own:\n${counted(others).join('\n') || '  none'}`,
);
console.log(isClean && seesEngine ? 'Nothing ran, and nothing was reached.' : 'FAILED');
process.exitCode = isClean && seesEngine ? 0 : 1;
