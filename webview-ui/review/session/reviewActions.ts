import type { ReviewActions } from './reviewKeys';
import type { ReviewSession } from './reviewSession';

/** How the user has set up the page. */
export interface PageState {
  readonly sideBySide: boolean;
  /** Whether lines far from any difference are folded. */
  readonly folded: boolean;
  /** Whether ignored differences are listed. */
  readonly hiddenShown: boolean;
  readonly helpShown: boolean;
  /** How often the user asked for each text field; every request moves the focus into it. */
  readonly requests: FieldRequests;
}

interface FieldRequests {
  readonly find: number;
  readonly note: number;
}

export const INITIAL_PAGE: PageState = {
  sideBySide: true,
  folded: true,
  hiddenShown: false,
  helpShown: false,
  requests: { find: 0, note: 0 },
};

/** Toggles a part of the page, opens or closes the help, or requests a text field. */
type PageAction =
  | 'sideBySide'
  | 'folded'
  | 'hiddenShown'
  | 'helpShown'
  | 'openHelp'
  | 'closeHelp'
  | keyof FieldRequests;

export function updatePage(page: PageState, action: PageAction): PageState {
  if (action === 'openHelp' || action === 'closeHelp') return { ...page, helpShown: action === 'openHelp' };
  if (action === 'find' || action === 'note') {
    const { requests } = page;
    return { ...page, requests: { ...requests, [action]: requests[action] + 1 } };
  }
  return { ...page, [action]: !page[action] };
}

/** Every action of the review, on the session or on the page. */
export function reviewActions(session: ReviewSession, dispatch: (action: PageAction) => void): ReviewActions {
  const inTurn = (action: () => unknown) => () => session.inTurn(action);
  return {
    next: inTurn(() => session.step(1)),
    previous: inTurn(() => session.step(-1)),
    nextFile: inTurn(() => session.go('next')),
    previousFile: inTurn(() => session.go('previous')),
    nextPendingFile: inTurn(() => session.go('open')),
    accept: inTurn(() => session.decide('accepted')),
    reject: inTurn(() => session.decide('rejected')),
    acceptInteraction: inTurn(() => session.decideInteraction('accepted')),
    rejectInteraction: inTurn(() => session.decideInteraction('rejected')),
    acceptAll: inTurn(() => session.decideAll('accepted')),
    rejectAll: inTurn(() => session.decideAll('rejected')),
    same: inTurn(() => session.findSame()),
    undo: inTurn(() => session.undo()),
    note: () => dispatch('note'),
    toggleViewed: inTurn(() => session.toggleViewed()),
    stage: inTurn(() => session.stage()),
    stageAll: inTurn(() => session.stageAll()),
    openSourceControl: inTurn(() => session.openSourceControl()),
    find: () => dispatch('find'),
    nextGroup: inTurn(() => session.nextGroup()),
    toggleHidden: () => dispatch('hiddenShown'),
    toggleSideBySide: () => dispatch('sideBySide'),
    toggleFolding: () => dispatch('folded'),
    openDiff: inTurn(() => session.openDiff()),
    openTranscript: inTurn(() => session.openTranscript()),
    help: () => dispatch('helpShown'),
  };
}
