import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lens, openTapedeck, treeRow } from '../harness/sidebar';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { shoot } from '../harness/vscode/workbench.mjs';

// VS Code asks for consent only for models that need an account; this one needs none.
describe('recording from a language model of the editor', function () {
  this.timeout(240_000);
  let story: Story;

  before(async () => {
    story = await startStory({
      extensions: [join(projectRoot, 'test/fixtures/languageModel')],
      settings: { 'chat.disableAIFeatures': false },
    });
    const provider = '[llm.provider]\nkind = "vscode_lm"\nmodel = "tapedeck-test/echo"\n\n';
    const text = story.read('cases/order_status.toml').replace('[assert]', `${provider}[assert]`);
    writeFileSync(join(story.workspace, 'cases/order_status.toml'), text);
  });
  endAfterAll(() => story, 'editor-model');

  it('runs the tools the model calls, and writes what it said on the tape', async () => {
    const { page } = story;
    await openTapedeck(story);
    await treeRow(story, 'order_status').click();
    await lens(story, 'Re-record').click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Re-record' }).click();
    await treeRow(story, 'order_status').getByText('to review').waitFor();
    await shoot(page, 'editor-model');
    const tape = story.read('tapes/order_status.tape.json');
    assert.match(tape, /call_9/);
    assert.match(tape, /Echo: /);
  });
});
