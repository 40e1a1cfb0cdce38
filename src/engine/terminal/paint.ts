import { ansiStyle, PLAIN_STYLE, type TextStyle } from '../../core/text/textStyle';

/** Colours for a terminal. */
export type Paint = TextStyle;

/** @param start Begins the sequences that switch a style on and off. */
export function createPaint(enabled: boolean, start?: string): Paint {
  return enabled ? ansiStyle(start) : PLAIN_STYLE;
}

/** Colour only on a terminal; NO_COLOR (no-color.org) turns it off, FORCE_COLOR turns it on in a pipe. */
export function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}
