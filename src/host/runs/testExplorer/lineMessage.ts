import * as vscode from 'vscode';
import type { Failure } from '../../../core/model/run';
import { escapeMarkdown } from '../../base/escapeMarkdown';

/** The message of a difference that has a line of its own; undefined for other failures. */
export function lineMessage({ line, message, fix }: Failure): vscode.MarkdownString | undefined {
  if (line === undefined) return undefined;
  // As in a drift: in a code block, recorded text contains no links.
  const text = new vscode.MarkdownString().appendCodeblock(`${line}\n`, 'text');
  return text.appendMarkdown(`\n${escapeMarkdown(fix ?? `${message}.`)}\n`);
}
