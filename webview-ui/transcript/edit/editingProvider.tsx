import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RedactionPlace, RedactionPlan } from '../../../src/core/secrets/planRedaction';
import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import { counted, grouped } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { t } from '../../../src/core/text/l10n';
import { sentence } from '../../base/sentence';
import { pageState } from '../../base/vscodeApi';
import { focusInteraction } from '../rows/wantedFocus';
import { type Notice, useActions } from '../state/actions';
import type { TranscriptPeer } from '../state/useTranscript';
import type { Draft } from './draft';
import { EditingContext } from './editing';
import { EditingSession, type EditingState, type OpenEditor } from './editingSession';

interface EditingProviderProps {
  readonly host: TranscriptPeer;
  /** The format decides whether the tape can be changed. */
  readonly formatLabel: string;
  /** A new number for every content of the tape. */
  readonly version: number;
  notify(notice: Notice): void;
  readonly children: ComponentChildren;
}

/** Gives the page below it an editing session, which outlives hiding and reloading the page. */
export function EditingProvider({ host, formatLabel, version, notify, children }: EditingProviderProps): VNode {
  const { change } = useActions();
  const session = useMemo(() => {
    const showMessages = (index: number): void => change({ type: 'source', index, shown: false });
    const selectedText = (): string => String(getSelection() ?? '');
    return new EditingSession(host, { notify, showMessages, focus: focusInteraction, selectedText }, restoreEditor());
  }, [host, notify, change]);
  const state = useEditingState(session);
  useEffect(() => void session.checkReadOnly(), [session, formatLabel]);
  useEffect(() => session.tapeChanged(), [session, version]);
  // Before the next frame: a page can be hidden at any time.
  useLayoutEffect(() => pageState.set('editor', state.editor), [state.editor]);
  return (
    <EditingContext.Provider value={{ ...state, session }}>
      {children}
      {state.redaction !== undefined && (
        <RedactionDialog plan={state.redaction} onClose={(confirmed) => void session.finishRedaction(confirmed)} />
      )}
    </EditingContext.Provider>
  );
}

function useEditingState(session: EditingSession): EditingState {
  const [state, setState] = useState(session.state);
  useLayoutEffect(() => {
    setState(session.state);
    return session.onChange(setState);
  }, [session]);
  return state;
}

/** The editor that was open when the page was last hidden. */
function restoreEditor(): OpenEditor | undefined {
  const stored = pageState.get('editor');
  if (!isRecord(stored) || !Number.isSafeInteger(stored.interaction)) return undefined;
  const { interaction, response, draft } = stored;
  return isResponse(response) && isDraft(draft) ? { interaction: Number(interaction), response, draft } : undefined;
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isResponse(value: unknown): value is EditableResponse {
  return isRecord(value) && Array.isArray(value.reasoning) && Array.isArray(value.calls);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface RedactionDialogProps {
  readonly plan: RedactionPlan;
  onClose(confirmed: boolean): void;
}

/** Asks to confirm a redaction, with every place as it will be. */
function RedactionDialog({ plan, onClose }: RedactionDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirmed = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.button')?.focus();
  }, []);
  const { placeholder, count, interactions, dependents } = plan;
  return (
    <dialog
      ref={dialog}
      class="dialog redaction"
      aria-labelledby="redaction-title"
      aria-describedby="redaction-description"
      onClose={() => onClose(confirmed.current)}
    >
      <header>
        <h2 id="redaction-title">{titleOf(count, interactions)}</h2>
      </header>
      <p id="redaction-description">
        {sentence('{0} replaces the value.', <code>{placeholder}</code>)}
        {dependents.length > 0 && ` ${t('Also updated: {0}.', joinedByCommas(dependents))}`}
      </p>
      <PlaceList plan={plan} />
      <ConfirmationForm
        onConfirm={() => {
          confirmed.current = true;
        }}
        onCancel={() => dialog.current?.close()}
      />
    </dialog>
  );
}

function PlaceList({ plan: { places, count, placeholder } }: { readonly plan: RedactionPlan }): VNode | null {
  if (places.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by the keyboard as well
    <ul class="redaction-places" tabIndex={0} aria-label={t('Occurrences, redacted')}>
      {places.map((place, index) => (
        <RedactionPlaceItem key={index} place={place} placeholder={placeholder} />
      ))}
      {count > places.length && <li class="quiet">{t('and {0} more', grouped(count - places.length))}</li>}
    </ul>
  );
}

interface ConfirmationFormProps {
  onConfirm(): void;
  onCancel(): void;
}

/** Closes the dialog that it is in, by its method. */
function ConfirmationForm({ onConfirm, onCancel }: ConfirmationFormProps): VNode {
  return (
    <form method="dialog" onSubmit={onConfirm}>
      <footer>
        <button type="submit" class="button">
          {t('Redact')}
        </button>
        <button type="button" class="button-secondary" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <span class="quiet">
          {sentence('{0} to redact, {1} to cancel. You can undo this.', <kbd>Enter</kbd>, <kbd>Esc</kbd>)}
        </span>
      </footer>
    </form>
  );
}

function RedactionPlaceItem({
  place: { interaction, where, before, after },
  placeholder,
}: {
  readonly place: RedactionPlace;
  readonly placeholder: string;
}): VNode {
  return (
    <li>
      <span class="number">{interaction === null ? t('File') : `#${interaction + 1}`}</span>
      <span>
        <code>
          {before}
          <mark>{placeholder}</mark>
          {after}
        </code>
        {where === 'packed' && <span class="quiet"> {t('encoded or split')}</span>}
      </span>
    </li>
  );
}

function titleOf(count: number, interactions: number): string {
  if (interactions === 0) return counted(count, 'Redact {0} occurrence?', 'Redact {0} occurrences?');
  const where = counted(interactions, '{0} interaction', '{0} interactions');
  return counted(count, 'Redact {0} occurrence in {1}?', 'Redact {0} occurrences in {1}?', where);
}
