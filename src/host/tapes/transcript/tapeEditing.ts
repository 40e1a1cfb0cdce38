import * as vscode from 'vscode';
import type { EditingApi, EditResult } from '../../../contracts/transcript/transcriptEditing';
import { movedIndexes } from '../../../core/tapes/edits/movedIndexes';
import type { TapeEdit } from '../../../core/tapes/format';
import { message, t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import type { CommandId } from '../../base/commands';
import type { HoldStore } from '../../stores/runs/holdStore';
import type { TapeDocument } from '../tapeDocument';
import { tapeLink } from './tapeLinks';

/** The edits that the page of a transcript can make to its document. */
export function tapeEditing(document: TapeDocument, holds?: HoldStore): EditingApi {
  /** The value of the last plan, which `redact` carries out, and the version of the document for which it was made. */
  let planned: { readonly value: string; readonly version: number } | undefined;
  return {
    editable: async ({ interaction }) => {
      const { editableResponse } = await loadCore();
      const response = editableResponse(await document.file(), interaction);
      if (response === undefined)
        throw new Error(t('The tape no longer has an interaction {0}. Reopen the transcript.', interaction + 1));
      return response;
    },
    edit: async ({ edits }) => {
      const result = await applyEdits(document, edits);
      // Undo leaves them where they are, as it does lines' breakpoints.
      await holds?.move(document.uri, (interactions) => edits.reduce(movedIndexes, interactions));
      return result;
    },
    // The document of the page that asks is the active one, as it has the focus.
    undoEdit: async () => void (await vscode.commands.executeCommand('undo')),
    planRedaction: async ({ selected }) => {
      const { planRedaction } = await loadCore();
      const value = await askForSecret(selected);
      if (value === undefined) return null;
      const { version } = document;
      const plan = planRedaction(await document.file(), value);
      if ('refused' in plan) throw new Error(plan.refused);
      planned = { value, version };
      return plan;
    },
    redact: async () => {
      if (planned?.version !== document.version)
        throw new Error(t('The tape has changed since the value was searched for. Redact the value again.'));
      return applyEdits(document, [{ type: 'redact', value: planned.value }]);
    },
    copyAs: async ({ interaction, kind }) => {
      const { exportInteraction } = await loadCore();
      const text = exportInteraction(await document.file(), interaction, kind);
      if (text === undefined) throw new Error(t('No request was recorded here, so there is nothing to copy.'));
      await vscode.env.clipboard.writeText(text);
    },
    copyLink: async ({ interaction }) => vscode.env.clipboard.writeText(tapeLink(document.uri, interaction)),
    openTranscriptAsText: ({ interaction }) => run('tapedeck.openTranscriptAsText', document, interaction),
    fork: ({ interaction }) => run('tapedeck.forkTape', document, interaction),
    makeCase: () => run('tapedeck.makeCaseOfRun', document),
    exportTranscript: () => run('tapedeck.exportTranscript', document),
  };
}

async function run(command: CommandId, { uri }: TapeDocument, ...rest: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, uri, ...rest);
}

async function applyEdits(document: TapeDocument, edits: readonly TapeEdit[]): Promise<EditResult> {
  const { version } = document;
  const { applyTapeEdits, redactValue } = await loadCore();
  const outcome = applyTapeEdits(await document.file(), edits, redactValue);
  if ('refused' in outcome) throw new Error(outcome.refused);
  if (document.version !== version)
    throw new Error(t('The tape has changed in the meantime. Check the change and try again.'));
  if (outcome.splices.length > 0) await document.edit(outcome.splices, labelOf(edits));
  return { dependents: outcome.dependents };
}

const LABELS: Readonly<Record<TapeEdit['type'], string>> = {
  'response-text': message('Edit Response'),
  reasoning: message('Edit Reasoning'),
  arguments: message('Edit Tool Call'),
  usage: message('Edit Usage'),
  status: message('Edit Status'),
  delete: message('Delete Interaction'),
  duplicate: message('Duplicate Interaction'),
  add: message('Add Interaction'),
  move: message('Move Interaction'),
  redact: message('Redact Value'),
};

/** The name of the step in VS Code's Undo and Redo menus. */
function labelOf(edits: readonly TapeEdit[]): string {
  const [first] = edits;
  return edits.length === 1 && first !== undefined ? t(LABELS[first.type]) : t('Edit Response');
}

/** Prompts for the value to redact, which is a secret: it is used for the edit only. */
function askForSecret(selected: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Redact a Value Everywhere in This Tape'),
    prompt: t('It is replaced with a placeholder in every request, response and header, including encoded forms.'),
    value: selected.trim(),
    validateInput: (value) =>
      value.length < 4 ? t('Enter at least 4 characters. Shorter values also occur in other words.') : undefined,
  });
}
