import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunRecord } from '../../src/core/model/runRecord';
import { takeUri } from '../../src/host/base/takeUri';
import { lineMessage } from '../../src/host/runs/testExplorer/lineMessage';
import { activeText, eventually, file, printed, readJson, readText, write } from './workspace';

const caseSaying = (text: string) => `name = "peek"\nprompt = "hi"\n[llm]\nresponses = ["${text}"]\n`;

interface Menus {
  readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
}

describe('a failure in the Test Explorer', () => {
  const uri = file('cases/peek.toml');
  const baseline = file('cases/peek.baseline.json');
  let original: string;

  before(async () => {
    await write('cases/peek.toml', caseSaying('one'));
    await vscode.commands.executeCommand('tapedeck.replayCase', uri);
    original = await readText(file('.tapedeck/runs/cases/peek.artifact.json'));
    await write('cases/peek.baseline.json', original);
    await write('cases/peek.toml', caseSaying('two'));
    await vscode.commands.executeCommand('tapedeck.replayCase', uri);
  });
  after(async () => {
    for (const path of [uri, baseline]) await vscode.workspace.fs.delete(path);
  });

  /** What VS Code calls a command of the peek with. */
  const failure = (expected: string, actual: string) => ({
    test: { id: uri.toString() },
    message: vscode.TestMessage.diff('Output differs from the baseline', expected, actual),
  });

  it('has Accept as Baseline in the list of results and over the diff', () => {
    const extension = vscode.extensions.getExtension('tapedeck.tapedeck');
    assert.ok(extension);
    const { menus } = extension.packageJSON.contributes as Menus;
    for (const menu of ['testing/message/context', 'testing/message/content']) {
      const item = menus[menu]?.find(({ command }) => command === 'tapedeck.acceptBaseline');
      assert.equal(item?.when, 'testMessage == tapedeck.difference', menu);
    }
  });

  it('refuses a difference that nobody sees any more', async () => {
    await vscode.commands.executeCommand('tapedeck.acceptBaseline', failure('something', 'else'));
    assert.equal(await readText(baseline), original);
  });

  it('makes the difference that is shown the baseline, and the case passes', async () => {
    const record: Pick<RunRecord, 'failures'> = JSON.parse(
      await readText(file('.tapedeck/runs/cases/peek.result.json')),
    );
    const [first] = record.failures;
    assert.equal(first?.line, 'Output: one → two');
    const message = new vscode.TestMessage(lineMessage(first) ?? '');
    await vscode.commands.executeCommand('tapedeck.acceptBaseline', { test: { id: uri.toString() }, message });
    assert.equal((await readJson(baseline)).output_text, 'two');
    await vscode.workspace.openTextDocument(uri);
    await eventually('a lens without a count', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return lenses.every(({ command }) => !/\(\d/.test(command?.title ?? '')) || undefined;
    });
  });
});

describe('git, after a review', () => {
  const root = file('.').fsPath;
  const tape = 'tapes/order_status.tape.json';
  let original: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

  before(async () => {
    original = await readText(file(tape));
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-qm', 'first');
    await write(tape, original.replaceAll('Thursday', 'Friday'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await write(tape, original);
    rmSync(file('.git').fsPath, { recursive: true, force: true });
  });

  it('opens a changed tape as a review, by its file or from git’s diff of it', async () => {
    for (const named of [file(tape), file(tape).with({ scheme: 'git', query: '{}' })]) {
      await vscode.commands.executeCommand('tapedeck.openAsReview', named);
      await eventually('the panel', () => activeLabel()?.startsWith('Review: order_status.tape.json') || undefined);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('leaves git’s diff of a tape a text, from which the review opens', async () => {
    const old = file(tape).with({ scheme: 'git', query: JSON.stringify({ path: file(tape).fsPath, ref: 'HEAD' }) });
    await vscode.commands.executeCommand('vscode.diff', old, file(tape));
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    await vscode.commands.executeCommand('tapedeck.openAsReview');
    await eventually('the panel', () => activeLabel()?.startsWith('Review: order_status.tape.json') || undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is read as text to the last word of what diff prints, with what is decided', async () => {
    await write('tapes/committed.tape.json', git('show', `HEAD:${tape}`));
    const compared = printed('diff', '--all', 'tapes/committed.tape.json', tape);
    await vscode.workspace.fs.delete(file('tapes/committed.tape.json'));
    await vscode.commands.executeCommand('tapedeck.openAsReview', file(tape));
    await eventually('the panel', () => activeLabel()?.startsWith('Review: order_status.tape.json') || undefined);
    await vscode.commands.executeCommand('tapedeck.openReviewAsText');
    const text = await activeText('tapedeck-review');
    const [title, summary, empty, ...changes] = text.split('\n');
    assert.deepEqual([title, empty], ['Review of order_status.tape.json', '']);
    assert.match(summary ?? '', /^Compared with the last commit · \d+ pending$/);
    assert.equal(changes.join('\n').replaceAll(' · pending', ''), compared);
    assert.match(text, /Friday/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('compares the two tapes that are selected, without anything to decide', async () => {
    const [before, after] = [file('tapes/earlier.tape.json'), file(tape)];
    await write('tapes/earlier.tape.json', git('show', `HEAD:${tape}`));
    const compared = printed('diff', '--all', 'tapes/earlier.tape.json', tape);
    await vscode.commands.executeCommand('tapedeck.compareSelected', after, [before, after]);
    await eventually('the panel', () => activeLabel() === 'Compare: order_status.tape.json' || undefined);
    await vscode.commands.executeCommand('tapedeck.openReviewAsText');
    const [title, summary, , ...changes] = (await activeText('tapedeck-review')).split('\n');
    assert.equal(title, 'Comparison of order_status.tape.json');
    assert.equal(summary, 'order_status.tape.json, compared with earlier.tape.json');
    assert.equal(changes.join('\n'), compared);
    await vscode.workspace.fs.delete(before);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('compares what is selected in the tree: a take comes before its tape, and of a case it is the last run', async () => {
    const take = '2026-11-20T14-03-08.117Z.json';
    await write(`.tapedeck/takes/${tape}/${take}`, git('show', `HEAD:${tape}`));
    await write('cases/earlier.baseline.json', await readText(file('cases/greeting.baseline.json')));
    await vscode.commands.executeCommand('tapedeck.replayCase', file('cases/greeting.toml'));
    const rowOf = (type: string, resource: vscode.Uri) => ({ type, resource });
    const pairs = [
      [rowOf('tape', file(tape)), rowOf('take', takeUri({ tape: file(tape), take }))],
      [file('cases/earlier.baseline.json'), rowOf('run', file('cases/greeting.toml'))],
    ];
    const told: (string | undefined)[] = [];
    for (const pair of pairs) {
      await vscode.commands.executeCommand('tapedeck.compareSelected', pair[0], pair);
      await eventually('the panel', () => activeLabel()?.startsWith('Compare: ') || undefined);
      await vscode.commands.executeCommand('tapedeck.openReviewAsText');
      told.push((await activeText('tapedeck-review')).split('\n')[1]);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
    assert.match(told[0] ?? '', /^order_status\.tape\.json, compared with order_status\.tape\.json, replaced /);
    assert.equal(told[1], 'greeting.artifact.json, compared with earlier.baseline.json');
    await vscode.workspace.fs.delete(file('cases/earlier.baseline.json'));
    await vscode.workspace.fs.delete(file(`.tapedeck/takes/${tape}`), { recursive: true });
  });

  it('opens nothing for what is no recording', async () => {
    await vscode.commands.executeCommand('tapedeck.openAsReview', file('README.md'));
    assert.equal(activeLabel(), undefined);
  });

  it('stages what is accepted and nothing else', async () => {
    await vscode.commands.executeCommand('tapedeck.stageAccepted');
    assert.equal(git('diff', '--cached', '--name-only'), '');
    await vscode.commands.executeCommand('tapedeck.acceptReview', file(tape));
    await write('tapes/unseen.tape.json', original);
    await vscode.commands.executeCommand('tapedeck.stageAccepted');
    assert.equal(git('diff', '--cached', '--name-only'), `${tape}\n`);
    await vscode.workspace.fs.delete(file('tapes/unseen.tape.json'));
  });

  it('stages and takes back all that is selected, not only what was clicked', async () => {
    const baseline = 'cases/greeting.baseline.json';
    git('reset', '-q', '--hard');
    const wrote = (await readText(file(baseline))).replace('How can I help you today?', 'What now?');
    await write(tape, original.replaceAll('Thursday', 'Monday'));
    await write(baseline, wrote);
    const selected = [file(tape), file(baseline)];
    await vscode.commands.executeCommand('tapedeck.stageReview', selected[0], selected);
    assert.equal(git('diff', '--cached', '--name-only'), `${baseline}\n${tape}\n`);
    git('reset', '-q');
    await vscode.commands.executeCommand('tapedeck.rejectReview', selected[0], selected);
    assert.equal(git('status', '--porcelain', tape, baseline), '');
    await vscode.commands.executeCommand('tapedeck.undoReview', selected[0], selected);
    assert.equal(git('diff', '--name-only'), `${baseline}\n${tape}\n`);
    git('reset', '-q', '--hard');
  });

  it('takes out what was rejected and is there again', async () => {
    git('reset', '-q', '--hard');
    await write(tape, original.replaceAll('Thursday', 'Sunday'));
    await vscode.commands.executeCommand('tapedeck.rejectReview', file(tape));
    assert.equal(await readText(file(tape)), original);
    await write(tape, original.replaceAll('Thursday', 'Sunday'));
    await vscode.commands.executeCommand('tapedeck.restoreRejected');
    assert.equal(await readText(file(tape)), original);
  });
});

function activeLabel(): string | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label;
}
