import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import {
  chooseFromMenu,
  expandRow,
  lens,
  notification,
  openMenu,
  openTapedeck,
  openView,
  treeRow,
} from '../harness/sidebar';
import { completion, sendJson, serve, type TestServer } from '../harness/support';
import { runCommand, webviewFrame } from '../harness/vscode/workbench.mjs';

const SCRIPT = `import json, os, urllib.request

def ask(messages):
    url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'
    body = json.dumps({'model': 'm', 'messages': messages}).encode()
    headers = {'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}
    response = json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers)))
    return response['choices'][0]['message']['content']

question = input('What do you want to know? ')
messages = [{'role': 'user', 'content': question}]
messages.append({'role': 'assistant', 'content': ask(messages)})
messages.append({'role': 'user', 'content': 'In one word?'})
print(ask(messages))
`;
const QUESTION = 'Where is order 4711?';
const ANSWERS = ['It is on its way.', 'Soon.'];

/** A model whose second response waits until it is released. */
class Model {
  #held: ServerResponse | undefined;
  readonly server: Promise<TestServer>;

  constructor() {
    this.server = serve((response, _, count) => {
      if (count === 2) this.#held = response;
      else sendJson(response, 200, completion(ANSWERS[0] ?? ''));
    });
  }

  release(): void {
    if (this.#held === undefined) throw new Error('There is no second request.');
    sendJson(this.#held, 200, completion(ANSWERS[1] ?? ''));
  }
}

describe('from a script to a gate', () => {
  const model = new Model();
  const env: Record<string, string> = { OPENAI_API_KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY' };
  before(async () => {
    env.OPENAI_BASE_URL = (await model.server).baseUrl;
  });
  after(async () => (await model.server).close());

  tellPackaged(
    'a script is recorded',
    (story) => {
      it('offers to record a script in the Explorer, and asks before it does', async () => {
        const { page, picture } = story();
        await openView(page, 'Explorer');
        const script = page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'agent.py' });
        await openMenu(script, 'Record with Tapedeck');
        await picture('01-menu');
        await chooseFromMenu(script, 'Record with Tapedeck');
        const dialog = page.locator('.monaco-dialog-box');
        await dialog.getByText('Record python3 agent.py?').waitFor();
        await dialog.getByText('tapes/agent.tape.jsonl will be created.').waitFor();
        await picture('02-question');
        await dialog.getByRole('button', { name: 'Record', exact: true }).click();
      });

      it('runs it in a terminal that can be typed into, with the transcript growing beside it', async () => {
        const { page, picture } = story();
        await page
          .locator('.terminal-wrapper.active .xterm-rows')
          .getByText(/What.do.you.want.to.know/)
          .waitFor();
        await page.locator('.terminal-wrapper.active textarea').focus();
        await page.keyboard.type(QUESTION);
        await page.keyboard.press('Enter');
        await webviewFrame(page)
          .getByText(ANSWERS[0] ?? '')
          .first()
          .waitFor();
        await notification(story()).getByText('1 interaction').waitFor();
        await picture('03-live');
      });

      it('offers a case when the run has ended, and its replay is green', async () => {
        const { page, picture, read, agree } = story();
        model.release();
        await notification(story()).getByText('tapes/agent.tape.jsonl has 2 interactions.').waitFor();
        await webviewFrame(page)
          .getByText(ANSWERS[1] ?? '')
          .first()
          .waitFor();
        await picture('04-recorded');
        await notification(story()).getByRole('button', { name: 'Save as Case' }).waitFor();
        await runCommand(page, 'Notifications: Clear All Notifications');
        await runCommand(page, 'Tapedeck: Save Last Recording as Case…');
        await page.getByText('Creates cases/agent.toml.').waitFor();
        await picture('05-name');
        // The notification gives the focus back as it closes, which may be to another part of the window.
        await page.locator('.quick-input-widget:visible input').first().click();
        await page.keyboard.press('Enter');
        await page.locator('.notification-toast').getByText('has its baseline').waitFor();
        await openTapedeck(story());
        await expandRow(story(), 'cases', 'agent');
        const passed = treeRow(story(), 'agent').locator('.codicon-pass');
        // On a busy machine, the row of the new case may not show that it passed until a refresh; the cause is not known.
        await passed.waitFor({ timeout: 30_000 }).catch(() => runCommand(page, 'Tapedeck: Refresh'));
        await passed.waitFor();
        await lens(story(), 'Replay').waitFor();
        await picture('06-case');
        const text = read('cases/agent.toml');
        assert.match(text, /^prompt = "Where is order 4711\?"$/m);
        assert.match(text, /^command = \["python3", "agent\.py"\]\ncwd = "\.\."$/m);
        assert.ok(!read('tapes/agent.tape.jsonl').includes(env.OPENAI_API_KEY ?? ''));
        assert.match(read('cases/agent.baseline.json'), /Soon\./);
        await agree({ agent: 'passed' });
      });

      it('installs a hook that stops a commit with a pending change, and lets it pass once that is accepted', async () => {
        const { page, picture, git, workspace } = story();
        const commit = () =>
          spawnSync(
            'git',
            ['-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'A case'],
            {
              cwd: workspace,
              encoding: 'utf8',
              env: { ...process.env, XDG_STATE_HOME: join(dirname(workspace), 'state') },
            },
          );
        if (!existsSync(join(workspace, '.git/hooks/pre-commit'))) {
          await pressCommand(page, 'Tapedeck: Install or Remove Pre-commit Hook');
          await page.locator('.notification-toast').getByText('now runs').waitFor();
        }
        await picture('07-hook');
        git('add', 'cases', 'tapes');
        const stopped = commit();
        assert.equal(stopped.status, 1, stopped.stderr);
        assert.match(stopped.stdout + stopped.stderr, /tapes\/agent\.tape\.jsonl/);
        assert.equal(git('log', '--format=%s').trim(), 'The sample project');
        // The tape and the baseline are one recording, which is called as its case.
        const pane = page.locator('.pane').filter({ has: page.locator('.pane-header[aria-label^="Review"]') });
        const added = pane.locator('.monaco-list-row').filter({ hasText: 'agent' }).first();
        const isAccepted = () =>
          added
            .getByText('accepted')
            .waitFor({ timeout: 10_000 })
            .then(
              () => true,
              () => false,
            );
        // The list follows git, and may draw the row anew below the click.
        for (let attempt = 1; ; attempt += 1) {
          await added.hover();
          const accept = added.getByRole('button', { name: 'Accept All' });
          if (await accept.isVisible()) await accept.click();
          if (await isAccepted()) break;
          assert.ok(attempt < 10, 'the tape can be accepted');
        }
        await picture('08-accepted');
        const passed = commit();
        assert.equal(passed.status, 0, passed.stderr);
        assert.equal(git('log', '-1', '--format=%s').trim(), 'A case');
      });
    },
    { project: { 'agent.py': SCRIPT }, env, settings: { 'terminal.integrated.gpuAcceleration': 'off' } },
  );
});
