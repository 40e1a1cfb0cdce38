import { createContext } from 'preact';
import { PLAY_SPEEDS, type PlaySpeed } from '../../../src/contracts/transcript/transcript';
import { t } from '../../../src/core/text/l10n';

/** The speed at which streamed responses are played, on the whole page. */
export const SpeedContext = createContext<PlaySpeed>('1');

export function speedName(speed: PlaySpeed): string {
  return speed === 'max' ? t('no pauses') : `${speed}\u00d7`;
}

/** The next speed in a direction; the slowest and the fastest stay. */
export function nextSpeed(speed: PlaySpeed, by: 1 | -1): PlaySpeed {
  return PLAY_SPEEDS[PLAY_SPEEDS.indexOf(speed) + by] ?? speed;
}

/** The length of a recorded pause at a speed; both in milliseconds. */
export function pauseAt(speed: PlaySpeed, ms: number): number {
  return speed === 'max' ? 0 : ms / Number(speed);
}
