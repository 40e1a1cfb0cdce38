import { useScrollToEditor } from '../edit/responseForm';
import type { TranscriptView } from '../rows/useTranscriptView';
import type { ViewState } from '../state/viewState';
import { type FocusRequest, useFocusRequestTarget } from './useFocusRequest';
import { useKeptFocus } from './useKeptFocus';
import { usePersistence } from './usePersistence';
import { useSteadyPlace } from './useScrollMemory';

/** Moves the page to where the user was, or to where the host or an editor needs it, and keeps it there. */
export function usePlaces(
  { feed, rows, virtual }: TranscriptView,
  view: ViewState,
  request: FocusRequest | undefined,
): void {
  usePersistence(feed, rows, virtual.go, view);
  useSteadyPlace(feed, virtual.go, view.mode);
  useFocusRequestTarget(rows, virtual.go, request);
  useKeptFocus(feed, rows);
  useScrollToEditor(virtual.go);
}
