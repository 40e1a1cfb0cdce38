import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExportKind } from '../../../src/core/export/exportInteraction';
import type { RedactionPlan } from '../../../src/core/secrets/planRedaction';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { isReason } from '../../../src/protocol/transcriptEditing';
import { useActions } from '../actions';
import type { Notice } from '../createActions';
import type { TranscriptPeer } from '../useTranscript';
import { draftOf, editsOf } from './draft';
import { type Editing, EditingContext, type OpenEditor } from './editing';
import { doneText } from './editWords';
import { focusInteraction } from './focusInteraction';
import { RedactionDialog } from './redactionDialog';
import { keepEditor, rememberedEditor } from './rememberedEditor';

interface EditingProviderProps {
  readonly peer: TranscriptPeer;
  /** What decides whether the tape can be changed. */
  readonly formatLabel: string;
  /** Another one for each content of the tape. */
  readonly version: number;
  notify(notice: Notice): void;
  readonly children: ComponentChildren;
}

/** Holds what is being edited, wherever on the page that is, and whether it is in sight. */
export function EditingProvider({ peer, formatLabel, version, notify, children }: EditingProviderProps): VNode {
  const { change } = useActions();
  const [readOnly, setReadOnly] = useState<string>();
  const [editor, setEditor] = useState<OpenEditor | undefined>(rememberedEditor);
  const [menu, showMenu] = useState<number>();
  const [redaction, setRedaction] = useState<RedactionPlan>();
  /** An interaction that the page is about to be told of. */
  const added = useRef<number | undefined>(undefined);
  const latest = useRef(editor);
  latest.current = editor;
  useEffect(() => {
    peer.call('readOnlyReason', undefined).then(
      (reason) => setReadOnly(isReason(reason) ? (reason ?? undefined) : undefined),
      () => undefined,
    );
  }, [peer, formatLabel]);
  // Before the next frame: a page can be hidden at any time.
  useLayoutEffect(() => keepEditor(editor), [editor]);
  const actions = useMemo(() => {
    const fail = (error: unknown): void =>
      notify({ tone: 'failed', text: error instanceof Error ? error.message : String(error) });
    const edit = async (edits: readonly TapeEdit[]): Promise<void> => {
      const { dependents } = await peer.call('edit', { edits });
      notify({ tone: 'done', text: doneText(edits, dependents) });
    };
    const open = async (interaction: number): Promise<void> => {
      const reason = await peer.call('readOnlyReason', undefined);
      if (reason !== null) throw new Error(reason);
      const answer = await peer.call('editable', { interaction });
      // The answer takes the place of its source.
      change({ type: 'raw', index: interaction, raw: false });
      setEditor({ interaction, answer, draft: draftOf(answer) });
    };
    const apply = async (): Promise<void> => {
      const current = latest.current;
      if (current === undefined) return;
      const edits = editsOf(current.interaction, current.answer, current.draft);
      if (edits.length > 0) await edit(edits);
      close(current.interaction);
    };
    const close = (interaction: number): void => {
      setEditor(undefined);
      focusInteraction(interaction);
    };
    return {
      open: (interaction: number) => void open(interaction).catch(fail),
      apply: () => void apply().catch(fail),
      cancel: () => latest.current && close(latest.current.interaction),
      type: (field: string, value: string) =>
        setEditor((current) => current && { ...current, draft: { ...current.draft, [field]: value } }),
      act: (one: TapeEdit) => {
        // The page may be told of the changed tape before it is told that it was changed.
        added.current = one.type === 'add' ? one.interaction + 1 : undefined;
        void edit([one])
          .then(() => {
            if (one.type === 'move') focusInteraction(one.interaction + one.by);
            if (one.type === 'delete') focusInteraction(one.interaction);
          })
          .catch((error: unknown) => {
            added.current = undefined;
            fail(error);
          });
      },
      redact: () => {
        const selected = String(getSelection() ?? '').slice(0, 10_000);
        void peer.call('planRedaction', { selected }).then((plan) => setRedaction(plan ?? undefined), fail);
      },
      settleRedaction: (confirmed: boolean) => {
        setRedaction(undefined);
        if (!confirmed) return;
        void peer
          .call('redact', undefined)
          .then(
            ({ dependents }) => notify({ tone: 'done', text: doneText([{ type: 'redact', value: '' }], dependents) }),
            fail,
          );
      },
      copyAs: (interaction: number, kind: ExportKind) =>
        void peer
          .call('copyAs', { interaction, kind })
          .then(() => notify({ tone: 'done', text: `Copied interaction ${interaction + 1}` }), fail),
      copyLink: (interaction: number) =>
        void peer
          .call('copyLink', { interaction })
          .then(() => notify({ tone: 'done', text: `Copied a link to interaction ${interaction + 1}` }), fail),
      openTranscriptAsText: () => void peer.call('openTranscriptAsText', undefined).catch(fail),
      exportTranscript: () => void peer.call('exportTranscript', undefined).catch(fail),
      showMenu,
    };
  }, [peer, notify, change]);
  useEffect(() => {
    if (added.current !== undefined) actions.open(added.current);
    added.current = undefined;
  }, [version]);
  const editing: Editing = { readOnly, editor, redaction, menu, ...actions };
  return (
    <EditingContext.Provider value={editing}>
      {children}
      {redaction !== undefined && <RedactionDialog plan={redaction} onClose={actions.settleRedaction} />}
    </EditingContext.Provider>
  );
}
