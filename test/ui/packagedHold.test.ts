import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openFile, pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { completion, sendJson, serve } from '../harness/support';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

/** Line 10 is where the debugger stops: before the second request. */
const AGENT = `import { writeFileSync } from 'node:fs';

async function ask(messages) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer key' };
  const body = JSON.stringify({ model: 'm', messages });
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
  return (await response.json()).choices[0].message;
}
const first = await ask([{ role: 'user', content: 'Where is order 4711?' }]);
const second = await ask([first, { role: 'user', content: 'In two words?' }]);
writeFileSync(new URL('said.txt', import.meta.url), first.content + ' ' + second.content);
`;
const ANSWER = { role: 'assistant', content: 'It is on its way.' };
const EDITED = 'Lost, sorry.';

function exchange(number: number, messages: readonly object[], content: string): readonly object[] {
  const url = 'https://api.openai.com/v1/chat/completions';
  const message = { role: 'assistant', content };
  const headers = [['content-type', 'application/json']];
  return [
    { request: number, method: 'POST', url, json: { model: 'm', messages } },
    { response: number, status: 200, headers, json: { choices: [{ index: 0, message, finish_reason: 'stop' }] } },
  ];
}

const TAPE = [
  { tapedeck: 'tape', version: 1, name: 'agent' },
  ...exchange(1, [{ role: 'user', content: 'Where is order 4711?' }], ANSWER.content),
  ...exchange(2, [ANSWER, { role: 'user', content: 'In one word?' }], 'Soon.'),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const launched = (name: string, mode: 'replay' | 'record'): object => ({
  type: 'node',
  request: 'launch',
  name,
  program: '$'.concat('{workspaceFolder}/agent.mjs'),
  tapedeck: { mode, tape: 'tapes/agent.tape.jsonl' },
});
const LAUNCH = {
  version: '0.2.0',
  configurations: [launched('Agent on its tape', 'replay'), launched('Record the agent', 'record')],
};

describe('a debugger and a tape', () => {
  const model = serve((response, _, count) => sendJson(response, 200, completion(`Live answer ${count}.`)));
  const env: Record<string, string> = {};
  before(async () => {
    env.OPENAI_BASE_URL = (await model).baseUrl;
  });
  after(async () => (await model).close());
  tellPackaged(
    'a held request',
    (story) => {
      const bar = () => webviewFrame(story().page).getByRole('region', { name: 'Held request' });

      it('sets a breakpoint on an interaction with F9, as on a line', async () => {
        const { page, picture } = story();
        await openFile(page, 'agent.tape.jsonl');
        const transcript = webviewFrame(page);
        await transcript.getByRole('button', { name: 'Breakpoint on Interaction 2' }).waitFor();
        await transcript.locator('article[data-interaction="1"]').first().focus();
        await page.keyboard.press('F9');
        await transcript.locator('.breakpoint[aria-pressed="true"]').waitFor();
        await picture('01-breakpoint');
      });

      it('starts the script with F5, and stops at the breakpoint of the debugger', async () => {
        const { page, picture } = story();
        await openFile(page, 'agent.mjs');
        await pressCommand(page, 'Go to Line/Column...');
        await page.locator('.quick-input-widget:visible input').first().fill(':10');
        await page.keyboard.press('Enter');
        await page.keyboard.press('F9');
        await page.locator('.codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified').first().waitFor();
        await page.keyboard.press('F5');
        await page.locator('.codicon-debug-stackframe').first().waitFor();
        await picture('02-stopped');
      });

      it('goes on to the held request, and shows it against the recorded one', async () => {
        const { page, picture } = story();
        await page.keyboard.press('F5');
        await bar().getByText('Changes from the recorded request').waitFor();
        assert.deepEqual(await bar().locator('ins').allTextContents(), ['added: two', 'added: words']);
        assert.deepEqual(await bar().locator('del').allTextContents(), ['removed: one', 'removed: word']);
        assert.ok(!existsSync(join(story().workspace, 'said.txt')));
        await picture('03-held');
      });

      it('hands the agent an edited response, and leaves the tape as it is', async () => {
        const { page, picture, read, workspace } = story();
        await bar().getByRole('button', { name: 'Edit Response…' }).click();
        await bar().getByLabel('Response', { exact: true }).fill(EDITED);
        await picture('04-edited');
        await bar().getByRole('button', { name: 'Continue with This Response' }).click();
        await bar().waitFor({ state: 'detached' });
        await page.locator('.notification-toast').getByText('edited while it was held').waitFor();
        assert.ok(existsSync(join(workspace, 'said.txt')));
        assert.equal(read('said.txt'), `${ANSWER.content} ${EDITED}`);
        assert.equal(read('tapes/agent.tape.jsonl'), TAPE);
        await picture('05-done');
      });

      it('releases with the keys of the debugger, where the transcript has the focus', async () => {
        const { page, picture, read } = story();
        await openFile(page, 'agent.mjs');
        await pressCommand(page, 'Remove All Breakpoints');
        await page.locator('.codicon-debug-breakpoint').first().waitFor({ state: 'detached' });
        await page.keyboard.press('F5');
        await bar().getByText('Changes from the recorded request').waitFor();
        await bar().getByRole('button', { name: '#2' }).click();
        await page.keyboard.press('Shift+F5');
        await bar().waitFor({ state: 'detached' });
        await page.locator('.statusbar').getByText('Tapedeck: 1 exact, 1 unreachable').waitFor();
        await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
        await picture('06-stopped');
        assert.equal(read('tapes/agent.tape.jsonl'), TAPE);
      });

      it('holds a recording at the same place, beside the last take, and records what the agent got', async () => {
        const { page, picture, read } = story();
        await pressCommand(page, 'View: Close All Editors');
        await pressCommand(page, 'Debug: Select and Start Debugging');
        await page
          .locator('.quick-input-list .monaco-list-row')
          .filter({ hasText: 'Record the agent' })
          .first()
          .click();
        await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Record', exact: true }).click();
        await bar().getByText('It has not been sent.').waitFor();
        assert.equal((await model).requests.length, 1);
        assert.deepEqual(
          await bar().locator('ins').allTextContents(),
          ['Live', 'answer', '1', 'two', 'words'].map((word) => `added: ${word}`),
        );
        await picture('07-recording');
        await bar().getByRole('button', { name: 'Edit Response…' }).click();
        const response = bar().getByLabel('Response', { exact: true });
        await response.waitFor();
        assert.equal(await response.inputValue(), 'Live answer 2.');
        await response.fill(EDITED);
        await bar().getByRole('button', { name: 'Continue with This Response' }).click();
        await page.locator('.notification-toast').getByText('tapes/agent.tape.jsonl has 2 interactions.').waitFor();
        assert.equal(read('said.txt'), `Live answer 1. ${EDITED}`);
        assert.ok(read('tapes/agent.tape.jsonl').includes(EDITED));
        await picture('08-recorded');
      });
    },
    {
      env,
      project: {
        'agent.mjs': AGENT,
        'tapes/agent.tape.jsonl': TAPE,
        '.vscode/launch.json': JSON.stringify(LAUNCH, undefined, 2),
      },
    },
  );
});
