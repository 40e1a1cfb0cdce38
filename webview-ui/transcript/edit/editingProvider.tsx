import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import { pageState } from '../../base/vscodeApi';
import { focusInteraction } from '../rows/wantedFocus';
import { type Notice, useActions } from '../state/actions';
import type { TranscriptPeer } from '../state/useTranscript';
import type { Draft } from './draft';
import { EditingContext } from './editing';
import { EditingSession, type EditingState, type OpenEditor } from './editingSession';
import { RedactionDialog } from './redactionDialog';

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
