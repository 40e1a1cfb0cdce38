// npm run film [-- --pictures FOLDER]   takes the film of the extension's page anew, from a real window with the packaged extension: a case that
// drifts, why, the review of its new recording change by change, and green again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packagedExtensions } from '../packaged';
import { lens, openTapedeck, treeRow } from '../sidebar';
import { closeBrowser, projectRoot, type Story, startStory } from '../story';
import { webviewFrame } from '../vscode/workbench.mjs';
import { readFilm } from './animatedWebp';
import { Camera } from './camera';

const TARGET = join(projectRoot, 'media/pictures/film.webp');
const MAX_BYTES = 1_500_000;

async function tell(story: Story, camera: Camera): Promise<void> {
  const { page } = story;
  const text = page.locator('.view-line').filter({ hasText: 'prompt = ' }).first();
  await openTapedeck(story);
  await treeRow(story, 'order_status').click();
  await lens(story, 'Replay').waitFor();

  camera.say('A test replays a recorded run of an agent: no key, no network, no cost.');
  await camera.hold(1400);
  await camera.click(lens(story, 'Replay'));
  await treeRow(story, 'order_status').locator('.codicon-pass').waitFor();
  await camera.hold(1300);

  camera.say('Somebody changes the prompt.');
  await text.click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await camera.hold(600);
  await camera.type(', and who brings it?');
  await page.keyboard.press('Control+s');
  await page.locator('.tab.active:not(.dirty)').filter({ hasText: 'order_status.toml' }).waitFor();
  await camera.click(lens(story, 'Replay'));

  await page.locator('.test-error-content-widget').first().waitFor();
  await treeRow(story, 'order_status').locator('.codicon-error').waitFor();
  camera.say('Red: the request is not on the tape. Beside the case: what differs.');
  await camera.hold(3200);
  await page.locator('.notification-toast .codicon-notifications-clear').first().click();

  camera.say('Re-record asks first, and keeps the old take. Here, with a built-in practice model.');
  await camera.click(lens(story, 'Re-record'));
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByRole('button', { name: 'Re-record', exact: true }).waitFor();
  await camera.hold(2200);
  await camera.click(dialog.getByRole('button', { name: 'Re-record', exact: true }));
  await lens(story, 'Review (').waitFor();

  camera.say('The new run waits for review.');
  await camera.hold(900);
  await camera.click(lens(story, 'Review ('));
  const review = webviewFrame(page);
  await review.locator('.monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert').first().waitFor();
  camera.say('Change by change: what was said before, and what is said now.');
  await camera.hold(1800);
  const accept = review.getByRole('button', { name: /^Accept(?! all)/ }).first();
  // Two changes of the run, then those of the tape that was recorded with it.
  for (const next of ['Text of message 2', 'Text of message 2', 'Response']) {
    await camera.click(accept);
    await review.locator('.change[aria-current="true"]').filter({ hasText: next }).first().waitFor();
    await camera.hold(800);
  }
  await camera.click(accept);
  await review.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
  await camera.hold(1100);

  await page.locator('.tab').filter({ hasText: 'order_status.toml' }).click();
  await treeRow(story, 'order_status').locator('.codicon-pass').waitFor();
  // The editor first shows its lenses as they were when it was left.
  await page.waitForTimeout(2000);
  await lens(story, 'Review (').waitFor({ state: 'hidden' });
  camera.say('Accepted, and green again: commit the tape with its baseline.');
  await camera.hold(2600);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { pictures: { type: 'string' } } });
  const story = await startStory({
    extensionsDir: await packagedExtensions(),
    viewport: { width: 1000, height: 620 },
    settings: {
      'editor.minimap.enabled': false,
      'workbench.colorTheme': 'Dark Modern',
      'window.commandCenter': false,
    },
  });
  const camera = new Camera(story.page, values.pictures);
  try {
    await tell(story, camera);
  } finally {
    if (values.pictures) await story.page.screenshot({ path: join(values.pictures, 'last.png') });
    await story.end();
  }
  const film = await camera.develop();
  const { width, height, frames, milliseconds } = readFilm(film);
  if (film.length > MAX_BYTES) throw new Error(`The film has ${film.length} bytes, at most ${MAX_BYTES} are wanted.`);
  mkdirSync(join(TARGET, '..'), { recursive: true });
  writeFileSync(TARGET, film);
  console.log(
    `${width}×${height}, ${(milliseconds / 1000).toFixed(1)} s in ${frames} frames, ${(film.length / 1000).toFixed(0)} kB`,
  );
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(closeBrowser);
