import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useEditing } from './edit/editing';
import type { Find } from './find/useFind';
import { useKeyboard } from './keyboard';
import type { TranscriptView } from './rows/useTranscriptView';
import { runTranscriptCommand } from './runTranscriptCommand';
import { useActions } from './state/actions';
import type { ViewState } from './state/viewState';

/** The commands of the page as a whole, and what they open. */
export interface PageCommands {
  readonly filterInput: RefObject<HTMLInputElement | null>;
  readonly isHelpOpen: boolean;
  openHelp(): void;
  closeHelp(): void;
  showFilter(): void;
}

/** Runs the commands of the keyboard. */
export function usePageCommands({ feed, rows, virtual }: TranscriptView, view: ViewState, find: Find): PageCommands {
  const actions = useActions();
  const { session } = useEditing();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const filterInput = useRef<HTMLInputElement>(null);
  const openHelp = (): void => setHelpOpen(true);
  const showFilter = (): void => {
    actions.change({ type: 'filter', text: view.filter ?? '' });
    filterInput.current?.focus();
  };
  useKeyboard((command) => {
    if (feed.current === null) return false;
    const page = { feed: feed.current, rows, virtual, view };
    return runTranscriptCommand(command, { ...page, find, actions, session, openHelp, showFilter });
  });
  return { filterInput, isHelpOpen, openHelp, closeHelp: () => setHelpOpen(false), showFilter };
}
