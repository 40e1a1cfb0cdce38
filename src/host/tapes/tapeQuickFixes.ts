import * as vscode from 'vscode';
import type { SecretSearch } from '../../core/secrets/secretSearch';
import { DESCRIBABLE_FORMAT, UNKNOWN_FORMAT } from '../../core/tapes/unknownFormat';
import { message, t } from '../../core/text/l10n';
import type { Splice } from '../../core/text/splice';
import { loadCore } from '../../reader/loadCore';
import type { CommandId } from '../base/commands';
import type { ProjectSecrets } from '../stores/tapes/projectSecrets';
import { interactionAtPosition } from './tapeDocument';

/** The quick fixes of a tape: those of its format, and the redaction of secrets. All are edits that can be undone. */
export async function tapeQuickFixes(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  projectSecrets: ProjectSecrets,
): Promise<vscode.CodeAction[]> {
  const secrets = diagnostics.filter(isSecret);
  const others = diagnostics.filter((diagnostic) => !isSecret(diagnostic));
  return [
    ...(secrets.length > 0 ? await redactions(document, secrets, await projectSecrets.searchFor(document.uri)) : []),
    ...(others.length > 0 ? await formatFixes(document, others) : []),
    ...others.flatMap((diagnostic) => waysOut(document.uri, diagnostic)),
    ...(await transcriptLinks(document, diagnostics)),
  ];
}

/** What can be done with a file in no known format. */
function waysOut(uri: vscode.Uri, diagnostic: vscode.Diagnostic): readonly vscode.CodeAction[] {
  const { code } = diagnostic;
  if (code !== DESCRIBABLE_FORMAT && code !== UNKNOWN_FORMAT) return [];
  const action = (title: string, command: CommandId, ...more: readonly string[]): vscode.CodeAction => {
    const way = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    way.diagnostics = [diagnostic];
    way.command = { title, command, arguments: [uri, ...more] };
    return way;
  };
  const describe = action(t('Describe This Format…'), 'tapedeck.describeFormat');
  describe.isPreferred = true;
  return [
    ...(code === DESCRIBABLE_FORMAT ? [describe] : []),
    action(t('Show the Formats That Are Read'), 'tapedeck.openManualPage', 'docs/formats.md'),
    action(t('Open as Text'), 'tapedeck.openTapeAsText'),
  ];
}

function isSecret({ code }: vscode.Diagnostic): boolean {
  return typeof code === 'string' && code.startsWith('secret/');
}

async function formatFixes(
  document: vscode.TextDocument,
  diagnostics: vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  const { detectFormat, tapeFileFromText } = await loadCore();
  const file = tapeFileFromText(document.getText(), document.uri.path);
  const format = detectFormat(file);
  const splices = format?.finalise?.(file) ?? [];
  const migrated = format?.migrate?.(file);
  const whole = { start: 0, end: file.text.length };
  return [
    ...(splices.length > 0
      ? [fixAction(t(format?.finaliseTitle ?? message('Fix the tape')), document, splices, diagnostics)]
      : []),
    ...(migrated === undefined
      ? []
      : [
          fixAction(
            t('Migrate to the latest version of {0}', format?.label ?? ''),
            document,
            [{ ...whole, text: migrated }],
            diagnostics,
          ),
        ]),
  ];
}

/** Links from each problem in an interaction to the transcript. */
async function transcriptLinks(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  const actions: vscode.CodeAction[] = [];
  for (const diagnostic of diagnostics) {
    const interaction = await interactionAtPosition(document, diagnostic.range.start);
    if (interaction === undefined) continue;
    const title = t('Show interaction {0} in the transcript', interaction + 1);
    if (actions.some((action) => action.title === title)) continue;
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.command = {
      title,
      command: 'tapedeck.openTranscript' satisfies CommandId,
      arguments: [document.uri, interaction],
    };
    actions.push(action);
  }
  return actions;
}

/** The redactions of secrets. One that is not possible is shown disabled, with the reason. */
async function redactions(
  document: vscode.TextDocument,
  diagnostics: vscode.Diagnostic[],
  search: SecretSearch,
): Promise<vscode.CodeAction[]> {
  const { redactTape, secretAt, tapeFileFromText } = await loadCore();
  const file = tapeFileFromText(document.getText(), document.uri.path);
  const actions: vscode.CodeAction[] = [];
  const offer = (title: string, about: vscode.Diagnostic[], values?: readonly string[]): void => {
    const outcome = redactTape(file, values, search);
    if ('refused' in outcome) actions.push(disabledAction(title, outcome.refused, about));
    else if (outcome.splices.length > 0) actions.push(fixAction(title, document, outcome.splices, about));
  };
  for (const diagnostic of diagnostics) {
    const secret = secretAt(file.text, document.offsetAt(diagnostic.range.start), search);
    if (secret !== undefined) offer(t('Redact this secret everywhere in the tape'), [diagnostic], [secret]);
  }
  offer(t('Redact all secrets in the tape'), diagnostics);
  return actions;
}

function disabledAction(title: string, reason: string, diagnostics: vscode.Diagnostic[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.disabled = { reason };
  return action;
}

function fixAction(
  title: string,
  document: vscode.TextDocument,
  splices: readonly Splice[],
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of splices) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    action.edit.replace(document.uri, range, text);
  }
  return action;
}
