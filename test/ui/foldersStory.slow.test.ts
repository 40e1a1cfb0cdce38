import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTapedeck, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, type Story, startStory } from '../harness/story';

const TAPE = JSON.stringify({ version: 1, case_name: 'x', interactions: [{ response: 'It is shipped.' }] });

/** A workspace of two folders, one of which configures where its tapes are, and changes to it outside of VS Code. */
describe('a workspace of two folders, in a window', () => {
  stopAtFailure();
  let story: Story;
  before(async () => {
    story = await startStory({
      beside: {
        '.vscode/settings.json': JSON.stringify({ 'tapedeck.tapes': ['odd/*.json'] }),
        'odd/special.json': TAPE,
        'tapes/plain.tape.json': TAPE,
      },
    });
  });
  endAfterAll(() => story, 'folders');

  const beside = (path: string) => join(story.workspace, '../beside', path);
  const isGone = (name: string) => treeRow(story, name).waitFor({ state: 'hidden' });

  it('has the tapes that the settings of each folder name', async () => {
    writeFileSync(join(story.workspace, 'tapes/loose.tape.json'), TAPE);
    await openTapedeck(story);
    await treeRow(story, 'special.json').waitFor();
    await treeRow(story, 'loose.tape.json').waitFor();
    await isGone('plain.tape.json');
  });

  it('shows what comes there, by the settings as they are then', async () => {
    writeFileSync(beside('odd/late.json'), TAPE);
    await treeRow(story, 'late.json').waitFor();
    writeFileSync(beside('.vscode/settings.json'), JSON.stringify({ 'tapedeck.tapes': ['tapes/*.json'] }));
    await treeRow(story, 'plain.tape.json').waitFor();
    await isGone('special.json');
  });

  it('has cases under the new name of their folder', async () => {
    await treeRow(story, 'greeting').waitFor();
    renameSync(join(story.workspace, 'cases'), join(story.workspace, 'specs'));
    await treeRow(story, 'specs').waitFor();
    await isGone('cases');
  });

  it('has no review left after all is committed', async () => {
    await treeRow(story, 'Pending').waitFor();
    await treeRow(story, 'Tape added').waitFor();
    story.git('add', '-A');
    story.git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'All of it');
    await treeRow(story, 'Pending').waitFor({ state: 'hidden' });
  });
});
