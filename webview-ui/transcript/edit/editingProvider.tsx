import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExportKind } from '../../../src/core/export/exportInteraction';
import type { RedactionPlan } from '../../../src/core/secrets/planRedaction';
import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { isReadOnlyReason } from '../../../src/protocol/transcriptEditing';
import { pageState } from '../../base/vscodeApi';
import { type Notice, useActions } from '../state/actions';
import type { TranscriptPeer } from '../state/useTranscript';
import { type Draft, draftOf, editsOf } from './draft';
import { type Editing, EditingContext, type OpenEditor } from './editing';
import { RedactionDialog } from './redactionDialog';

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
      (reason) => setReadOnly(isReadOnlyReason(reason) ? (reason ?? undefined) : undefined),
      () => undefined,
    );
  }, [peer, formatLabel]);
  // Before the next frame: a page can be hidden at any time.
  useLayoutEffect(() => rememberEditor(editor), [editor]);
  const actions = useMemo(() => {
    const fail = (error: unknown): void =>
      notify({ tone: 'failed', text: error instanceof Error ? error.message : String(error) });
    const edit = async (edits: readonly TapeEdit[]): Promise<void> => {
      const { dependents } = await peer.call('edit', { edits });
      notify({ tone: 'done', text: describeEdits(edits, dependents) });
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
            ({ dependents }) =>
              notify({ tone: 'done', text: describeEdits([{ type: 'redact', value: '' }], dependents) }),
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

/** What was done, and what had to follow. */
export function describeEdits(edits: readonly TapeEdit[], dependents: readonly string[]): string {
  const [first] = edits;
  const done = first === undefined ? '' : EDIT_DESCRIPTIONS[first.type](first);
  return dependents.length === 0 ? `${done}.` : `${done}. Also changed: ${dependents.join(', ')}.`;
}

type EditDescriptions = { readonly [T in TapeEdit['type']]: (edit: TapeEdit) => string };

const describeChange = (edit: TapeEdit): string => `Changed the answer of interaction ${numberOf(edit)}`;

const EDIT_DESCRIPTIONS: EditDescriptions = {
  'response-text': describeChange,
  reasoning: describeChange,
  arguments: describeChange,
  usage: describeChange,
  status: describeChange,
  delete: (edit) => `Deleted interaction ${numberOf(edit)}; undo brings it back`,
  duplicate: (edit) => `Duplicated interaction ${numberOf(edit)}`,
  add: (edit) => `Added interaction ${numberOf(edit) + 1}: type its answer here, and press e for its request`,
  move: (edit) => `Moved interaction ${numberOf(edit)} ${edit.type === 'move' && edit.by < 0 ? 'up' : 'down'}`,
  redact: () => 'A placeholder stands for the value everywhere in this tape',
};

function numberOf(edit: TapeEdit): number {
  return 'interaction' in edit ? edit.interaction + 1 : 0;
}

/** Patience with a page that shows the changed tape a moment later, in milliseconds. */
const FOCUS_RETRY_MS = 400;

/** Gives the focus to the first message of an interaction, now and, if it goes away with a change of the tape, again. */
export function focusInteraction(interaction: number): void {
  const end = performance.now() + FOCUS_RETRY_MS;
  const focus = (): void => {
    // Of the last interaction, when it was deleted, the one before is what is left.
    const article = articleOf(interaction) ?? articleOf(interaction - 1);
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active.matches('article.entry');
    if (isFree && article !== null && !article.contains(active)) article.focus({ preventScroll: true });
    if (performance.now() < end) requestAnimationFrame(focus);
  };
  requestAnimationFrame(focus);
}

function articleOf(interaction: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-interaction="${interaction}"]`);
}

/** What was typed outlives hiding and reloading the page. */
export function rememberEditor(editor: OpenEditor | undefined): void {
  pageState.set('editor', editor);
}

/** What an earlier page has left behind. */
export function rememberedEditor(): OpenEditor | undefined {
  const kept = pageState.get('editor');
  if (!isRecord(kept) || !Number.isSafeInteger(kept.interaction)) return undefined;
  if (!isAnswer(kept.answer) || !isDraft(kept.draft)) return undefined;
  return { interaction: Number(kept.interaction), answer: kept.answer, draft: kept.draft };
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isAnswer(value: unknown): value is EditableResponse {
  return isRecord(value) && Array.isArray(value.reasoning) && Array.isArray(value.calls);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
