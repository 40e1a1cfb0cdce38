import * as vscode from 'vscode';
import type { ReplayMiss, RunResult } from '../../../core/model/run';
import { escapeInvisible } from '../../../core/text/escapeInvisible';
import { caseUri } from '../../base/caseUri';
import { driftFixes } from '../../base/driftFixes';

/** Says of a replay that one case was started for that it drifted, how, and how to fix it. */
export async function announceDrift({ casePath, name, failures }: RunResult): Promise<void> {
  const miss = failures.find((failure) => failure.miss !== undefined)?.miss;
  if (miss === undefined) return;
  const fixes = driftFixes(miss, caseUri(casePath)).map(({ title, cost, ...fix }) => ({
    ...fix,
    // What costs something asks first.
    title: cost === undefined ? title : `${title}…`,
  }));
  const chosen = await vscode.window.showWarningMessage(driftSentence(name, miss), ...fixes.slice(0, 2));
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command, chosen.argument);
}

/** Text of tapes, which in a notification could be a link: with a zero-width joiner, it is none. */
function driftSentence(name: string, { kind, line }: ReplayMiss): string {
  const text = escapeInvisible(`${name}${kind === 'drifted' ? ' drifted' : ''}: ${line}`);
  return text.replaceAll('](', ']\u200d(');
}
