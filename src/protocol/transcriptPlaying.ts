import { isIndex, isOneOf, isShape, isText } from './guards';
import type { Guard } from './rpc';

/** What a run is doing with a tape just now. */
export interface Playing {
  readonly mode: 'replay' | 'record' | 'live';
  /** The interaction that was played or recorded last, from 0. */
  readonly interaction: number;
  /** What was answered, in a few words. */
  readonly summary: string;
}

/** The event that carries `{ playing }` to the webview: null when nothing is played any more. */
export const TRANSCRIPT_PLAYING = 'playing';

const isPlaying = isShape<Playing>({
  mode: isOneOf('replay', 'record', 'live'),
  interaction: isIndex,
  summary: isText,
});

export const isPlayingState: Guard<{ readonly playing: Playing | null }> = (
  value,
): value is { readonly playing: Playing | null } =>
  typeof value === 'object' &&
  value !== null &&
  'playing' in value &&
  (value.playing === null || isPlaying(value.playing));
