import assert from 'node:assert/strict';
import { connect, serve } from '../../../../src/contracts/contract';
import { tapeQueries, transcriptPage } from '../../../../src/contracts/transcript/transcript';
import { type EditResult, editingCalls } from '../../../../src/contracts/transcript/transcriptEditing';
import type { TapeEdit } from '../../../../src/core/tapes/format';
import { EditingSession, type OpenEditor } from '../../../../webview-ui/transcript/edit/editingSession';
import type { Notice } from '../../../../webview-ui/transcript/state/actions';
import { memoryChannel } from '../../../harness/memoryChannel';

const RESPONSE = { text: 'It is on its way.', reasoning: [], calls: [{ name: 'lookup', arguments: '{"order":17}' }] };

/** A session on a host that carries out every edit, or refuses it. */
class Rig {
  readonly edits: TapeEdit[] = [];
  readonly notices: Notice[] = [];
  readonly focused: number[] = [];
  readonly shown: number[] = [];
  readOnly: string | null = null;
  refusal: string | undefined;
  /** Runs before the host responds to an edit. */
  onEdit = (): void => undefined;
  readonly session: EditingSession;

  constructor(editor?: OpenEditor) {
    const { left, right } = memoryChannel();
    const carryOut = async (edits: readonly TapeEdit[]): Promise<EditResult> => {
      if (this.refusal !== undefined) throw new Error(this.refusal);
      this.edits.push(...edits);
      this.onEdit();
      return { dependents: ['content_hash'] };
    };
    const { readOnlyReason } = tapeQueries;
    serve({ calls: { ...editingCalls, readOnlyReason } }, left, {
      readOnlyReason: async () => this.readOnly,
      editable: async () => RESPONSE,
      undoEdit: async () => undefined,
      edit: ({ edits }) => carryOut(edits),
      planRedaction: async () => null,
      redact: () => carryOut([{ type: 'redact', value: 'secret' }]),
      copyAs: async () => undefined,
      copyLink: async () => undefined,
      openTranscriptAsText: async () => undefined,
      fork: async () => undefined,
      makeCase: async () => undefined,
      exportTranscript: async () => Promise.reject(new Error('the disk is full')),
    });
    const page = {
      notify: (notice: Notice) => void this.notices.push(notice),
      showMessages: (interaction: number) => void this.shown.push(interaction),
      focus: (interaction: number) => void this.focused.push(interaction),
      selectedText: () => 'secret',
    };
    this.session = new EditingSession(connect(transcriptPage, right), page, editor);
  }

  get texts(): string[] {
    return this.notices.map(({ tone, text }) => `${tone}: ${text}`);
  }
}

describe('an editing session', () => {
  it('opens a response in place of its source, and applies only the fields that were changed', async () => {
    const rig = new Rig();
    const { session, edits, shown, focused } = rig;
    await session.open(2);
    assert.deepEqual(shown, [2]);
    assert.equal(session.state.editor?.draft.text, RESPONSE.text);
    session.type('call0', '{"order":18}');
    await session.apply();
    assert.deepEqual(edits, [{ type: 'arguments', interaction: 2, call: 0, json: '{"order":18}' }]);
    assert.equal(session.state.editor, undefined);
    assert.deepEqual(focused, [2]);
    assert.deepEqual(rig.texts, ['done: Changed the response of interaction 3. Also updated: content_hash.']);
  });

  it('reports what changed, with the fields that had to follow', async () => {
    const rig = new Rig();
    await rig.session.edit({ type: 'move', interaction: 1, by: -1 });
    assert.deepEqual(rig.texts, ['done: Moved interaction 2 up. Also updated: content_hash.']);
    assert.deepEqual(rig.focused, [0]);
  });

  it('closes without an edit where nothing was changed, and without a trace when it is cancelled', async () => {
    const rig = new Rig();
    await rig.session.open(0);
    await rig.session.apply();
    await rig.session.open(0);
    rig.session.type('text', 'never');
    rig.session.cancel();
    assert.deepEqual([rig.edits, rig.texts, rig.session.state.editor], [[], [], undefined]);
  });

  it('keeps the editor open, and says why, when the host refuses the edit', async () => {
    const rig = new Rig();
    await rig.session.open(0);
    rig.session.type('text', 'other');
    rig.refusal = 'The tape was changed elsewhere.';
    await rig.session.apply();
    assert.deepEqual(rig.texts, ['failed: The tape was changed elsewhere.']);
    assert.equal(rig.session.state.editor?.draft.text, 'other');
  });

  it('opens nothing on a tape that cannot be edited', async () => {
    const rig = new Rig();
    rig.readOnly = 'HAR files are read-only.';
    await rig.session.checkReadOnly();
    assert.equal(rig.session.state.readOnly, 'HAR files are read-only.');
    await rig.session.open(0);
    assert.deepEqual(rig.texts, ['failed: HAR files are read-only.']);
  });

  it('opens an added interaction when the changed tape is shown, even before the host responds', async () => {
    const rig = new Rig();
    rig.onEdit = () => rig.session.tapeChanged();
    await rig.session.edit({ type: 'add', interaction: 4 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(rig.session.state.editor?.interaction, 5);
  });

  it('opens nothing after an interaction could not be added', async () => {
    const rig = new Rig();
    rig.refusal = 'no';
    await rig.session.edit({ type: 'add', interaction: 4 });
    rig.session.tapeChanged();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(rig.session.state.editor, undefined);
  });

  it('continues with the editor that an earlier page had open', () => {
    const editor = { interaction: 3, response: RESPONSE, draft: { text: 'half a thou' } };
    assert.deepEqual(new Rig(editor).session.state.editor, editor);
  });

  it('reports a failed export', async () => {
    const rig = new Rig();
    await rig.session.exportTranscript();
    assert.deepEqual(rig.texts, ['failed: the disk is full']);
  });

  it('refuses every change of a read-only tape at once, also one that a key asks for', async () => {
    const rig = new Rig();
    rig.readOnly = 'This is a take.';
    for (const edit of [
      { type: 'add', interaction: 0 },
      { type: 'delete', interaction: 0 },
    ] as const)
      await rig.session.edit(edit);
    await rig.session.planRedaction();
    assert.deepEqual(rig.edits, []);
    assert.deepEqual(new Set(rig.texts), new Set(['failed: This is a take.']));
    assert.equal(rig.texts.length, 3);
    rig.session.tapeChanged();
    assert.equal(rig.session.state.editor, undefined);
  });
});
