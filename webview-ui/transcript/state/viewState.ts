import {
  PLAY_SPEEDS,
  type PlaySpeed,
  READING_MODES,
  type ReadingMode,
} from '../../../src/contracts/transcript/transcript';

/** How the user has set up a transcript. Kept in the webview's state, so that it outlives hiding and reloading. */
export interface ViewState {
  readonly mode: Mode;
  /** By entry key, then by part: what the user opened or closed against the mode. */
  readonly opened: Readonly<Record<string, Opened>>;
  /** The interactions that show their source. */
  readonly sources: readonly number[];
  /** The key of the entry that had the focus last. */
  readonly current?: string;
  /** The text of the filter; absent while its bar is closed. */
  readonly filter?: string;
  readonly outline?: boolean;
  /** Whether the tree of agents is open. */
  readonly agents?: boolean;
  /** The speed of playback; absent for the recorded speed. */
  readonly speed?: PlaySpeed;
}

/** The names of all parts, those of older versions too. */
export const VIEW_STATE_PARTS: readonly string[] = [
  'mode',
  'opened',
  'sources',
  'current',
  'filter',
  'outline',
  'agents',
  'speed',
  'raw',
] satisfies (keyof ViewState | 'raw')[];

export type Mode = ReadingMode;
export const MODES: readonly Mode[] = READING_MODES;

/** Whether a part is open: `entry` is the message, `call0` a tool call in it, `text` or `call0.result` a folded text. */
export type Opened = Readonly<Record<string, boolean>>;

export type ViewAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'open'; readonly key: string; readonly parts: readonly string[]; readonly open: boolean }
  /** Opens a part of the first of some messages, or closes whatever is open in all of them. */
  | { readonly type: 'fold'; readonly keys: readonly string[]; readonly part: string; readonly open: boolean }
  | { readonly type: 'source'; readonly index: number; readonly shown: boolean }
  | { readonly type: 'current'; readonly key: string }
  | { readonly type: 'filter'; readonly text: string | undefined }
  | { readonly type: 'outline' | 'agents'; readonly open: boolean }
  | { readonly type: 'speed'; readonly speed: PlaySpeed };

export const initialViewState: ViewState = { mode: 'normal', opened: {}, sources: [] };

export function updateViewState(state: ViewState, action: ViewAction): ViewState {
  switch (action.type) {
    case 'mode':
      return { ...state, mode: action.mode, opened: {}, sources: [] };
    case 'open': {
      const entry = Object.fromEntries(action.parts.map((part) => [part, action.open]));
      return { ...state, opened: { ...state.opened, [action.key]: { ...state.opened[action.key], ...entry } } };
    }
    case 'fold': {
      const [first = ''] = action.keys;
      const others = Object.fromEntries(Object.entries(state.opened).filter(([key]) => !action.keys.includes(key)));
      return { ...state, opened: action.open ? { ...others, [first]: { [action.part]: true } } : others };
    }
    case 'source': {
      const others = state.sources.filter((index) => index !== action.index);
      if (!action.shown && others.length === state.sources.length) return state;
      return { ...state, sources: action.shown ? [...others, action.index] : others };
    }
    case 'filter': {
      const { filter: _, ...others } = state;
      return action.text === undefined ? others : { ...others, filter: action.text };
    }
    case 'outline':
    case 'agents':
      return { ...state, [action.type]: action.open };
    case 'speed':
      return { ...state, speed: action.speed };
    case 'current':
      return state.current === action.key ? state : { ...state, current: action.key };
  }
}

/**
 * Parses the state that an earlier page stored; invalid parts of it are left out. A tape without a stored state begins
 * with the choices that the user made last.
 */
export function parseViewState(value: unknown, chosen: unknown = {}): ViewState {
  if (!isRecord(value)) return { ...initialViewState, ...(isRecord(chosen) ? choiceOf(chosen) : {}) };
  // Version 0.1.0 stored `sources` as `raw`.
  const { opened, sources = value.raw, current, filter, outline, agents } = value;
  return {
    ...choiceOf(value),
    opened: isRecord(opened) ? Object.fromEntries(Object.entries(opened).filter(isOpened)) : {},
    sources: Array.isArray(sources) ? sources.filter((index) => Number.isSafeInteger(index)) : [],
    ...(typeof current === 'string' ? { current } : {}),
    ...(typeof filter === 'string' ? { filter } : {}),
    ...(outline === true ? { outline } : {}),
    ...(agents === true ? { agents } : {}),
  };
}

function choiceOf({ mode, speed }: Record<string, unknown>): Pick<ViewState, 'mode' | 'speed'> {
  const known = PLAY_SPEEDS.find((one) => one === speed);
  return {
    mode: MODES.find((one) => one === mode) ?? initialViewState.mode,
    ...(known === undefined ? {} : { speed: known }),
  };
}

function isOpened(member: [string, unknown]): member is [string, Opened] {
  return isRecord(member[1]) && Object.values(member[1]).every((open) => typeof open === 'boolean');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
