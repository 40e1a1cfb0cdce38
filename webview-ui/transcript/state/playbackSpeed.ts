import { createContext } from 'preact';
import { PLAY_SPEEDS, type PlaySpeed } from '../../../src/protocol/transcript';

/** How fast streamed answers are played, on the whole page. */
export const SpeedContext = createContext<PlaySpeed>('1');

export function speedName(speed: PlaySpeed): string {
  if (speed === 'max') return 'without pauses';
  return speed === '1' ? 'as they came' : `at ${speed}\u00d7`;
}

/** The next one in this direction; the last one stays. */
export function nextSpeed(speed: PlaySpeed, by: 1 | -1): PlaySpeed {
  return PLAY_SPEEDS[PLAY_SPEEDS.indexOf(speed) + by] ?? speed;
}

/** Milliseconds that a pause takes. */
export function pauseAt(speed: PlaySpeed, ms: number): number {
  return speed === 'max' ? 0 : ms / Number(speed);
}
