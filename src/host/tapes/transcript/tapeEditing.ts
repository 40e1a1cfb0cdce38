import * as vscode from 'vscode';
import type { TapeEdit } from '../../../core/tapes/format';
import type { EditingApi, EditResult } from '../../../protocol/transcriptEditing';
import { loadCore } from '../../../reader/loadCore';
import type { CommandId } from '../../base/commands';
import type { TapeDocument } from '../tapeDocument';
import { tapeLink } from './tapeLinks';

/** What the page of a transcript may do to its document. */
export function tapeEditing(document: TapeDocument): EditingApi {
  /** What is to be taken out as soon as the page says so, and of which version it was told. */
  let planned: { readonly value: string; readonly version: number } | undefined;
  return {
    editable: async ({ interaction }) => {
      const { editableResponse } = await loadCore();
      const answer = editableResponse(await document.file(), interaction);
      if (answer === undefined) throw new Error(`The tape has no interaction ${interaction + 1} any more.`);
      return answer;
    },
    edit: ({ edits }) => applyEdits(document, edits),
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
        throw new Error('The tape has changed since it was looked through: redact the value again.');
      return applyEdits(document, [{ type: 'redact', value: planned.value }]);
    },
    copyAs: async ({ interaction, kind }) => {
      const { exportInteraction } = await loadCore();
      const text = exportInteraction(await document.file(), interaction, kind);
      if (text === undefined) throw new Error('No request was recorded here that could be sent again.');
      await vscode.env.clipboard.writeText(text);
    },
    copyLink: async ({ interaction }) => vscode.env.clipboard.writeText(tapeLink(document.uri, interaction)),
    openTranscriptAsText: () => run('tapedeck.openTranscriptAsText', document),
    exportTranscript: () => run('tapedeck.exportTranscript', document),
  };
}

async function run(command: CommandId, { uri }: TapeDocument): Promise<void> {
  await vscode.commands.executeCommand(command, uri);
}

async function applyEdits(document: TapeDocument, edits: readonly TapeEdit[]): Promise<EditResult> {
  const { version } = document;
  const { applyTapeEdits, redactValue } = await loadCore();
  const outcome = applyTapeEdits(await document.file(), edits, redactValue);
  if ('refused' in outcome) throw new Error(outcome.refused);
  if (document.version !== version) throw new Error('The tape has changed meanwhile. Look at it, and try again.');
  if (outcome.splices.length > 0) await document.edit(outcome.splices, labelOf(edits));
  return { dependents: outcome.dependents };
}

const LABELS: Readonly<Record<TapeEdit['type'], string>> = {
  'response-text': 'Edit Answer',
  reasoning: 'Edit Reasoning',
  arguments: 'Edit Tool Call',
  usage: 'Edit Usage',
  status: 'Edit Status',
  delete: 'Delete Interaction',
  duplicate: 'Duplicate Interaction',
  add: 'Add Interaction',
  move: 'Move Interaction',
  redact: 'Redact Value',
};

/** What VS Code calls the step in its menus. */
function labelOf(edits: readonly TapeEdit[]): string {
  const [first] = edits;
  return edits.length === 1 && first !== undefined ? LABELS[first.type] : 'Edit Answer';
}

/** A value that is redacted is a secret until then: it is asked for as one, and goes nowhere but into the edit. */
function askForSecret(selected: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Redact a Value Everywhere in This Tape',
    prompt: 'One placeholder takes its place in every request, answer and header, also where it is encoded.',
    value: selected.trim(),
    validateInput: (value) => (value.length < 4 ? 'Shorter values stand in other words as well.' : undefined),
  });
}
