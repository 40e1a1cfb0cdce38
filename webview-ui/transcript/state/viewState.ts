import { PLAY_SPEEDS, type PlaySpeed, READING_MODES, type ReadingMode } from '../../../src/protocol/transcript';

/** How a reader has set up a transcript. It is kept in the webview's state, so it outlives hiding and reloading. */
export interface ViewState {
  readonly mode: Mode;
  /** By entry key, then by what of the entry: where the reader decided otherwise than the mode. */
  readonly opened: Readonly<Record<string, Opened>>;
  /** The interactions that show their source. */
  readonly raw: readonly number[];
  /** The entry that the keyboard is at. */
  readonly current?: string;
  /** What is typed into the filter; absent while there is none. */
  readonly filter?: string;
  readonly outline?: boolean;
  /** How fast answers are played; absent: as they came. */
  readonly speed?: PlaySpeed;
}

export type Mode = ReadingMode;
export const MODES: readonly Mode[] = READING_MODES;

/** `entry` is the message, `call0` a tool call of it; a part's id (`text`, `call0.result`) is the fold of that part. */
export type Opened = Readonly<Record<string, boolean>>;

export type ViewAction =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'open'; readonly key: string; readonly whats: readonly string[]; readonly open: boolean }
  | { readonly type: 'raw'; readonly index: number; readonly raw: boolean }
  | { readonly type: 'current'; readonly key: string }
  | { readonly type: 'filter'; readonly text: string | undefined }
  | { readonly type: 'outline'; readonly open: boolean }
  | { readonly type: 'speed'; readonly speed: PlaySpeed };

export const initialViewState: ViewState = { mode: 'normal', opened: {}, raw: [] };

export function updateViewState(state: ViewState, action: ViewAction): ViewState {
  switch (action.type) {
    case 'mode':
      return { ...state, mode: action.mode, opened: {}, raw: [] };
    case 'open': {
      const entry = Object.fromEntries(action.whats.map((what) => [what, action.open]));
      return { ...state, opened: { ...state.opened, [action.key]: { ...state.opened[action.key], ...entry } } };
    }
    case 'raw': {
      const others = state.raw.filter((index) => index !== action.index);
      if (!action.raw && others.length === state.raw.length) return state;
      return { ...state, raw: action.raw ? [...others, action.index] : others };
    }
    case 'filter': {
      const { filter: _, ...others } = state;
      return action.text === undefined ? others : { ...others, filter: action.text };
    }
    case 'outline':
      return { ...state, outline: action.open };
    case 'speed':
      return { ...state, speed: action.speed };
    case 'current':
      return state.current === action.key ? state : { ...state, current: action.key };
  }
}

/**
 * Reads what an earlier page, perhaps of an older version, left behind; what does not fit is left out. A tape that was
 * not looked at before begins with what was chosen last.
 */
export function parseViewState(value: unknown, chosen: unknown = {}): ViewState {
  if (!isRecord(value)) return { ...initialViewState, ...(isRecord(chosen) ? choiceOf(chosen) : {}) };
  const { opened, raw, current, filter, outline } = value;
  return {
    ...choiceOf(value),
    opened: isRecord(opened) ? Object.fromEntries(Object.entries(opened).filter(isOpened)) : {},
    raw: Array.isArray(raw) ? raw.filter((index) => Number.isSafeInteger(index)) : [],
    ...(typeof current === 'string' ? { current } : {}),
    ...(typeof filter === 'string' ? { filter } : {}),
    ...(outline === true ? { outline } : {}),
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
