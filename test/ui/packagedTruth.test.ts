import { tellPackaged } from '../harness/packaged';
import { lens, openTapedeck, treeRow } from '../harness/sidebar';
import { runCommand } from '../harness/vscode/workbench.mjs';

/** Every surface of the window tells the same of a case, whatever happens to it. */
tellPackaged('one truth about a case', (story) => {
  it('agrees before anything has run', async () => {
    await openTapedeck(story());
    await treeRow(story(), 'greeting').waitFor();
    await story().agree({ order_status: 'none', greeting: 'none' });
  });

  it('agrees when all cases have run', async () => {
    await runCommand(story().page, 'Test: Run All Tests');
    await openTapedeck(story());
    await treeRow(story(), 'greeting').click();
    await lens(story(), 'Review (1)').waitFor();
    await story().agree({ order_status: 'passed', greeting: { outcome: 'failed', pending: 1 } });
    await story().picture('run');
  });
});
