import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pressCommand } from '../harness/keyboard';
import { type PackagedStory, tellPackaged } from '../harness/packaged';
import { notification } from '../harness/sidebar';
import { projectRoot } from '../harness/story';
import { completion, sendJson, serve } from '../harness/support';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

const AGENT = `const url = process.env.OPENAI_BASE_URL + '/chat/completions';
const headers = { 'content-type': 'application/json' };
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Where is order 4711?' }] });
const { choices } = await (await fetch(url, { method: 'POST', headers, body })).json();
console.log('said:', choices[0].message.content);
`;
const LAUNCH = JSON.stringify({
  version: '0.2.0',
  configurations: [
    {
      type: 'node',
      request: 'launch',
      name: 'Agent',
      program: `$\{workspaceFolder}/agent.mjs`,
      tapedeck: { mode: 'record', tape: 'tapes/debugged.tape.jsonl' },
    },
  ],
});
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
const ANSWER = 'It-is-on-its-way.';

describe('terminals on tape', () => {
  const model = serve((response) => sendJson(response, 200, completion(ANSWER)));
  const env: Record<string, string> = {};
  before(async () => {
    env.OPENAI_BASE_URL = (await model).baseUrl;
  });
  after(async () => (await model).close());

  /** Once the shell is ready for it: what is typed ahead is no command that it tells of. */
  const typeIn = async ({ page }: PackagedStory, line: string): Promise<void> => {
    await page
      .locator('.terminal-wrapper.active .xterm-rows')
      .getByText(/sample[#$]/)
      .last()
      .waitFor();
    await page.locator('.terminal-wrapper.active textarea').focus();
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  };
  const rows = ({ page }: PackagedStory) => page.locator('.terminal-wrapper.active .xterm-rows');
  const pick = async ({ page }: PackagedStory, row: string): Promise<void> => {
    await page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: row }).first().click();
  };

  tellPackaged(
    'a terminal is recorded',
    (story) => {
      it('is switched on, asks, and records what runs in new terminals, with the transcript beside', async () => {
        const { page, picture } = story();
        await pressCommand(page, 'Tapedeck: Choose Tape of New Terminals');
        await picture('01-switch');
        await pick(story(), 'Record…');
        const dialog = page.locator('.monaco-dialog-box');
        await dialog.getByText('Record a terminal?').waitFor();
        await picture('02-question');
        await dialog.getByRole('button', { name: 'Record', exact: true }).click();
        await page.locator('.statusbar-item').getByText('Record: terminal.tape.jsonl').waitFor();
        await rows(story())
          .getByText(/Tapedeck.records.this.terminal/)
          .waitFor();
        await typeIn(story(), 'node agent.mjs');
        await rows(story())
          .getByText(`said: ${ANSWER}`)
          .or(rows(story()).getByText(`said:\u00a0${ANSWER}`))
          .waitFor();
        await webviewFrame(page).getByText(ANSWER).first().waitFor();
        await picture('03-recorded');
      });

      it('saves the tape when the terminal is closed, and offers a case of the one command', async () => {
        const { page, picture, read, workspace } = story();
        await typeIn(story(), 'exit');
        await notification(story()).getByText('tapes/terminal.tape.jsonl has 1 interaction.').waitFor();
        await picture('04-saved');
        assert.match(read('tapes/terminal.tape.jsonl'), /It-is-on-its-way/);
        await notification(story()).getByRole('button', { name: 'Save as Case' }).waitFor();
        await page.locator('.statusbar-item').getByText('Record: New Terminals').waitFor();
        await page.locator('.notification-toast .codicon-notifications-clear').first().click();
        assert.ok(!existsSync(join(workspace, 'tapes/terminal-2.tape.jsonl')));
      });

      it('records a debug session as its launch configuration says, with its transcript', async () => {
        const { page, picture, read } = story();
        await pressCommand(page, 'Debug: Start Without Debugging');
        const dialog = page.locator('.monaco-dialog-box');
        await dialog.getByText('Record node agent.mjs?').waitFor();
        await dialog.getByRole('button', { name: 'Record', exact: true }).click();
        await notification(story()).getByText('tapes/debugged.tape.jsonl has 1 interaction.').waitFor();
        await page.locator('.tab').filter({ hasText: 'debugged.tape.jsonl' }).waitFor();
        await picture('05-debugged');
        assert.match(read('tapes/debugged.tape.jsonl'), /It-is-on-its-way/);
        await page.locator('.notification-toast .codicon-notifications-clear').first().click();
      });

      it('replays the tape in a terminal of the profile, though the model is gone, and again', async () => {
        const { page, picture } = story();
        await (await model).close();
        await pressCommand(page, 'Create New Terminal (With Profile)');
        await pick(story(), 'Tapedeck: Replay');
        await pick(story(), 'tapes/terminal.tape.jsonl');
        await page.locator('.statusbar-item').getByText('Replay: terminal.tape.jsonl').waitFor();
        await typeIn(story(), 'node agent.mjs && node agent.mjs && echo twice-$?');
        await rows(story()).getByText('twice-0').waitFor();
        await picture('06-replayed');
      });

      it('has the command line, of the version that the npm package has too', async () => {
        await typeIn(story(), 'tapedeck --version');
        await rows(story()).getByText(version, { exact: true }).waitFor();
        await story().picture('07-version');
      });

      it('leaves no tape of a terminal in which nothing was recorded', async () => {
        const { page, workspace, picture } = story();
        await pressCommand(page, 'Create New Terminal (With Profile)');
        await pick(story(), 'Tapedeck: Record');
        await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Record', exact: true }).click();
        await page.locator('.statusbar-item').getByText('Record: terminal-2.tape.jsonl').waitFor();
        await typeIn(story(), 'exit');
        await page.locator('.statusbar-item').getByText('Replay: terminal.tape.jsonl').waitFor();
        await picture('08-empty');
        assert.ok(!existsSync(join(workspace, 'tapes/terminal-2.tape.jsonl')));
      });
    },
    {
      project: { 'agent.mjs': AGENT, '.vscode/launch.json': LAUNCH },
      env,
      settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    },
  );
});
