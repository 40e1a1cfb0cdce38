import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { PlaySpeed } from '../../../src/contracts/transcript/transcript';
import { t } from '../../../src/core/text/l10n';
import type { PlaybackStep } from '../../../src/core/transcript/playback';
import { announce } from '../../base/announcements';
import { useActions } from '../state/actions';
import { pauseAt, SpeedContext } from '../state/playbackSpeed';

export interface Playback {
  /** How much of the response has arrived, in UTF-16 units; undefined while nothing is played. */
  readonly length: number | undefined;
  /** Milliseconds since the request. */
  readonly atMs: number;
  play(): void;
  stop(): void;
}

/** Plays a streamed response at the chosen speed, which may change during playback. */
export function usePlayback(interaction: number): Playback {
  const { queries } = useActions();
  const speed = useRef<PlaySpeed>('1');
  speed.current = useContext(SpeedContext);
  const [step, setStep] = useState<PlaybackStep>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => {
    clearTimeout(timer.current);
    setStep(undefined);
  };
  const end = (): void => {
    stop();
    announce(t('Playback ended'));
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  /** `due` is the time at which the step before this one was due. */
  const show = (steps: readonly PlaybackStep[], next: number, due: number): void => {
    const [atMs, length] = steps[next] ?? [];
    if (atMs === undefined || length === undefined) {
      end();
      return;
    }
    const now = due + pauseAt(speed.current, atMs - (steps[next - 1]?.[0] ?? 0));
    timer.current = setTimeout(
      () => {
        setStep([atMs, length]);
        show(steps, next + 1, now);
      },
      Math.max(0, now - performance.now()),
    );
  };
  const play = (): void => {
    stop();
    setStep([0, 0]);
    announce(t('Playing the response'));
    queries.playback({ interaction }).then((steps) => show(steps, 0, performance.now()), stop);
  };
  return { length: step?.[1], atMs: step?.[0] ?? 0, play, stop: end };
}

/** Whether the user wants nothing to move: then no playback is offered. */
export function prefersReducedMotion(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
