import { READING_MODES, type ReadingMode } from '../../src/protocol/transcript';

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
  | { readonly type: 'outline'; readonly open: boolean };

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
    case 'current':
      return state.current === action.key ? state : { ...state, current: action.key };
  }
}

/**
 * Reads what an earlier page, perhaps of an older version, left behind; what does not fit is left out. A tape that was
 * not looked at before begins with the mode that was chosen last.
 */
export function parseViewState(value: unknown, chosen?: string): ViewState {
  if (!isRecord(value)) return { ...initialViewState, mode: modeOf(chosen) };
  const { mode, opened, raw, current, filter, outline } = value;
  return {
    mode: modeOf(mode),
    opened: isRecord(opened) ? Object.fromEntries(Object.entries(opened).filter(isOpened)) : {},
    raw: Array.isArray(raw) ? raw.filter((index) => Number.isSafeInteger(index)) : [],
    ...(typeof current === 'string' ? { current } : {}),
    ...(typeof filter === 'string' ? { filter } : {}),
    ...(outline === true ? { outline } : {}),
  };
}

function modeOf(value: unknown): Mode {
  return MODES.find((known) => known === value) ?? initialViewState.mode;
}

function isOpened(member: [string, unknown]): member is [string, Opened] {
  return isRecord(member[1]) && Object.values(member[1]).every((open) => typeof open === 'boolean');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
