import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cassettes } from '../harness/cassettes.mjs';
import { openFile } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { openTapedeck, treeRow } from '../harness/sidebar';
import { runCommand } from '../harness/vscode/workbench.mjs';

const CASE = `name = "where_is_it"
prompt = "Where is order 4711?"

[llm]
tape = "tests/models/cassettes/test_chat/test_chat_case_0.yaml"

[assert]
contains = "shipped"
`;
const MANY = 2000;

function* folders() {
  yield* cassettes(MANY);
  yield { folder: 'agents-python', path: 'where_is_it.toml', content: CASE };
}

/** A narrow list of thousands of tapes is one that can be read, searched, and followed. */
tellPackaged(
  '2,000 tapes in six folders',
  (story) => {
    const rows = () => story().page.locator('.pane-body .monaco-list-row');
    const row = (name: string) => treeRow(story(), name);
    /** Scrolls to a row: while tapes are still being found, folders that seemed small at first are open, and push others out of sight. */
    const scrollTo = async (name: string) => {
      const { page } = story();
      await page.locator('.pane-body .monaco-list').first().hover();
      for (let turn = 1; !(await row(name).isVisible()); turn += 1) {
        if (turn === 400) throw new Error(`There is no row ${name}.`);
        await page.mouse.wheel(0, turn % 40 === 0 ? -100_000 : 200);
        await page.waitForTimeout(250);
      }
    };
    const open = async (name: string) => {
      await scrollTo(name);
      if ((await row(name).getAttribute('aria-expanded')) === 'false') await row(name).click();
    };
    const filter = async (words: string) => {
      const { page } = story();
      await runCommand(page, 'Tapedeck: Filter Cases');
      await page.locator('.quick-input-widget:visible input').first().fill(words);
      await page.keyboard.press('Enter');
      await page.locator('.message').filter({ hasText: words }).waitFor();
    };
    const file = (folder: string, path: string) => join(story().workspace, '..', folder, path);

    it('lists the folders of the workspace', async () => {
      await openTapedeck(story());
      for (const name of ['agents-python', 'chain-partners', 'ruby-client', 'web-app', 'mocks', 'sdk-tests'])
        await row(name).waitFor();
      await story().picture('1-folders');
      await story().agree({ where_is_it: 'none' });
    });

    it('nests folders compactly, and tells names apart that begin alike', async () => {
      await open('libs/partners/openai');
      await open('tests/cassettes');
      await row('TestOpenAIStandard.test_').waitFor();
      await open('TestOpenAIStandard.test_');
      await story().picture('2-groups');
      assert.ok(await row('config-0.json').isHidden(), 'a configuration is no tape');
    });

    it('says how many interactions a tape has once it is shown', async () => {
      await rows()
        .filter({ hasText: /gz\d+(?: ·|$)/ })
        .first()
        .waitFor();
      await story().picture('3-details');
    });

    it('names its filter and what that leaves', async () => {
      const { page } = story();
      await filter('handoffs');
      await page
        .locator('.message')
        .filter({ hasText: /Filter “handoffs”: \d+ of 2,0\d\d/ })
        .waitFor();
      await story().picture('4-filter');
      await runCommand(page, 'Tapedeck: Clear Filter');
      await page.locator('.message').filter({ hasText: 'handoffs' }).waitFor({ state: 'hidden' });
    });

    it('selects what the active editor shows', async () => {
      await openFile(story().page, 'test_vision_case_13.yaml');
      await story()
        .page.locator('.monaco-list-row.selected')
        .filter({ hasText: /\b13\.yaml/ })
        .waitFor();
      await story().picture('5-revealed');
    });

    it('finds a row by typing', async () => {
      const { page } = story();
      await runCommand(page, 'Tapedeck: Focus on Cases View');
      await page.keyboard.type('chain');
      await page.locator('.monaco-list-row.focused').filter({ hasText: 'chain-partners' }).waitFor();
      await page.keyboard.press('Control+Alt+f');
      await page.locator('.monaco-tree-type-filter input').first().fill('structured');
      await page.locator('.monaco-list-row').filter({ hasText: 'structured' }).locator('.highlight').first().waitFor();
      await story().picture('6-found');
      await page.keyboard.press('Escape');
    });

    it('shows a tape as it is on the disk, also when it was emptied', async () => {
      const path = file('agents-python', 'tests/providers/cassettes/test_vision/test_vision_case_13.yaml');
      const text = readFileSync(path, 'utf8');
      await filter('test_vision_case_13.yaml');
      writeFileSync(path, '');
      await row('1 problem').waitFor();
      await story().picture('7-emptied');
      writeFileSync(path, text);
      await row('1 problem').waitFor({ state: 'hidden' });
      await runCommand(story().page, 'Tapedeck: Clear Filter');
      await story().agree({ where_is_it: 'none' });
    });
  },
  { folders },
);
