import type { ExportKind } from '../../../src/core/export/exportInteraction';
import type { RedactionPlan } from '../../../src/core/secrets/planRedaction';
import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { t } from '../../../src/core/text/l10n';
import { failureNotice, type Notice } from '../state/actions';
import type { TranscriptPeer } from '../state/useTranscript';
import { type Draft, draftOf, editsOf } from './draft';

/** A response that is being changed. */
export interface OpenEditor {
  readonly interaction: number;
  readonly response: EditableResponse;
  readonly draft: Draft;
}

export interface EditingState {
  /** Why nothing can be changed; undefined if it can, or until that is known. */
  readonly readOnly: string | undefined;
  readonly editor: OpenEditor | undefined;
  /** The redaction that waits for the user's confirmation. */
  readonly redaction: RedactionPlan | undefined;
  /** The interaction whose menu is open. */
  readonly menu: number | undefined;
}

/** The parts of the page that an edit changes. */
interface EditedPage {
  notify(notice: Notice): void;
  /** Shows the messages of an interaction in place of its source. */
  showMessages(interaction: number): void;
  focus(interaction: number): void;
  selectedText(): string;
}

/** Everything that the page does to the tape, or exports from it. Failures become notices: no method rejects. */
export class EditingSession {
  readonly #host: TranscriptPeer;
  readonly #page: EditedPage;
  readonly #listeners = new Set<(state: EditingState) => void>();
  #state: EditingState;
  /** An interaction that was added; its editor opens as soon as the page shows the changed tape. */
  #added: number | undefined;
  /** An interaction that was added, and whose first response is being typed: Escape takes it back. */
  #begun: number | undefined;

  constructor(host: TranscriptPeer, page: EditedPage, editor?: OpenEditor) {
    this.#host = host;
    this.#page = page;
    this.#state = { readOnly: undefined, editor, redaction: undefined, menu: undefined };
  }

  get state(): EditingState {
    return this.#state;
  }

  /** Returns the unsubscriber. */
  onChange(listener: (state: EditingState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finds out whether the tape can be changed. A failure is ignored, because every edit reports its own. */
  async checkReadOnly(): Promise<void> {
    const reason = await this.#host.calls.readOnlyReason(undefined).catch(() => undefined);
    if (reason !== undefined) this.#update({ readOnly: reason ?? undefined });
  }

  /** Opens the editor of an interaction's response. */
  async open(interaction: number): Promise<void> {
    await this.#run(async () => {
      await this.#requireWritable();
      const response = await this.#host.calls.editable({ interaction });
      this.#page.showMessages(interaction);
      this.#update({ editor: { interaction, response, draft: draftOf(response) } });
      return undefined;
    });
  }

  type(field: string, value: string): void {
    const { editor } = this.#state;
    if (editor !== undefined) this.#update({ editor: { ...editor, draft: { ...editor.draft, [field]: value } } });
  }

  /** Changes the tape as the draft has it, and then closes the editor. */
  async apply(): Promise<void> {
    await this.#run(async () => {
      const { editor } = this.#state;
      if (editor === undefined) return undefined;
      await this.#requireWritable();
      const edits = editsOf(editor.interaction, editor.response, editor.draft);
      const done = edits.length === 0 ? undefined : await this.#send(edits);
      this.#close(editor);
      return done;
    });
  }

  /** Leaves the response as it is. An interaction that was only added for it goes as well. */
  async cancel(): Promise<void> {
    const { editor } = this.#state;
    if (editor === undefined) return;
    const isBegun = this.#begun === editor.interaction;
    this.#close(editor);
    if (!isBegun) return;
    await this.#run(async () => {
      await this.#host.calls.undoEdit(undefined);
      this.#page.focus(editor.interaction - 1);
      return t('Removed the new interaction {0}.', editor.interaction + 1);
    });
  }

  async edit(edit: TapeEdit): Promise<void> {
    // Before the call: the changed tape may reach the page before the response does.
    this.#added = edit.type === 'add' ? edit.interaction + 1 : undefined;
    await this.#run(async () => {
      try {
        await this.#requireWritable();
        const done = await this.#send([edit]);
        if (edit.type === 'move') this.#page.focus(edit.interaction + edit.by);
        if (edit.type === 'delete') this.#page.focus(edit.interaction);
        return done;
      } catch (error) {
        this.#added = undefined;
        throw error;
      }
    });
  }

  /** The page shows another version of the tape. */
  tapeChanged(): void {
    const added = this.#added;
    this.#added = undefined;
    if (added !== undefined) void this.open(added).then(() => (this.#begun = added));
  }

  /** Has the user choose a value to redact, beginning with the selected text, and shows what that would change. */
  async planRedaction(): Promise<void> {
    await this.#run(async () => {
      await this.#requireWritable();
      const selected = this.#page.selectedText().slice(0, MAX_SELECTED);
      const plan = await this.#host.calls.planRedaction({ selected });
      this.#update({ redaction: plan ?? undefined });
      return undefined;
    });
  }

  /** Carries out the redaction that is shown, or drops it. */
  async finishRedaction(confirmed: boolean): Promise<void> {
    this.#update({ redaction: undefined });
    if (!confirmed) return;
    await this.#run(async () => {
      const { dependents } = await this.#host.calls.redact(undefined);
      return describeEdits([{ type: 'redact', value: '' }], dependents);
    });
  }

  async copyAs(interaction: number, kind: ExportKind): Promise<void> {
    await this.#run(async () => {
      await this.#host.calls.copyAs({ interaction, kind });
      return t('Copied interaction {0}', interaction + 1);
    });
  }

  async copyLink(interaction: number): Promise<void> {
    await this.#run(async () => {
      await this.#host.calls.copyLink({ interaction });
      return t('Copied a link to interaction {0}', interaction + 1);
    });
  }

  async openTranscriptAsText(interaction: number): Promise<void> {
    await this.#run(async () => void (await this.#host.calls.openTranscriptAsText({ interaction })));
  }

  async fork(interaction: number): Promise<void> {
    await this.#run(async () => void (await this.#host.calls.fork({ interaction })));
  }

  async makeCase(): Promise<void> {
    await this.#run(async () => void (await this.#host.calls.makeCase(undefined)));
  }

  async exportTranscript(): Promise<void> {
    await this.#run(async () => void (await this.#host.calls.exportTranscript(undefined)));
  }

  showMenu(interaction: number | undefined): void {
    this.#update({ menu: interaction });
  }

  /** Runs `work`, and shows the text that it returns, or why it failed. */
  async #run(work: () => Promise<string | undefined>): Promise<void> {
    try {
      const done = await work();
      if (done !== undefined) this.#page.notify({ tone: 'done', text: done });
    } catch (error) {
      this.#page.notify(failureNotice(error));
    }
  }

  /** Refuses before anything changes on the page: keys reach it whether or not the menu offers a command. */
  async #requireWritable(): Promise<void> {
    const reason = await this.#host.calls.readOnlyReason(undefined);
    if (reason !== null) throw new Error(reason);
  }

  async #send(edits: readonly TapeEdit[]): Promise<string> {
    const { dependents } = await this.#host.calls.edit({ edits });
    return describeEdits(edits, dependents);
  }

  #close({ interaction }: OpenEditor): void {
    this.#begun = undefined;
    this.#update({ editor: undefined });
    this.#page.focus(interaction);
  }

  #update(change: Partial<EditingState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }
}

/** In UTF-16 units. A secret is shorter; more is an accident. */
const MAX_SELECTED = 10_000;

/** The edits that were made, and the fields that had to change with them. */
function describeEdits(edits: readonly TapeEdit[], dependents: readonly string[]): string {
  const [first] = edits;
  const done = first === undefined ? '' : EDIT_DESCRIPTIONS[first.type](first);
  return dependents.length === 0 ? t('{0}.', done) : t('{0}. Also updated: {1}.', done, joinedByCommas(dependents));
}

const describeChange = (edit: TapeEdit): string => t('Changed the response of interaction {0}', numberOf(edit));

const EDIT_DESCRIPTIONS: { readonly [T in TapeEdit['type']]: (edit: TapeEdit) => string } = {
  'response-text': describeChange,
  reasoning: describeChange,
  arguments: describeChange,
  usage: describeChange,
  status: describeChange,
  delete: (edit) => t('Deleted interaction {0}; undo restores it', numberOf(edit)),
  duplicate: (edit) => t('Duplicated interaction {0}', numberOf(edit)),
  add: (edit) =>
    t('Added interaction {0}. Type its response here; press Shift+X to edit its request.', numberOf(edit) + 1),
  move: (edit) =>
    edit.type === 'move' && edit.by < 0
      ? t('Moved interaction {0} up', numberOf(edit))
      : t('Moved interaction {0} down', numberOf(edit)),
  redact: () => t('Replaced the value with a placeholder everywhere in this tape'),
};

/** Interactions are counted from 1 where people read them. */
function numberOf(edit: TapeEdit): number {
  return 'interaction' in edit ? edit.interaction + 1 : 0;
}
