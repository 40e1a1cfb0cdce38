import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaybackStep } from '../../src/core/transcript/playback';
import { useActions } from './actions';

export interface Playback {
  /** How much of the answer is there now, in UTF-16 units; undefined while nothing is played. */
  readonly length: number | undefined;
  /** Milliseconds since the request. */
  readonly atMs: number;
  play(): void;
  stop(): void;
}

/** Plays a streamed answer at the speed at which it came. */
export function usePlayback(interaction: number): Playback {
  const { playback } = useActions();
  const [step, setStep] = useState<PlaybackStep>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => {
    clearTimeout(timer.current);
    setStep(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (steps: readonly PlaybackStep[], next: number, began: number): void => {
    const [atMs, length] = steps[next] ?? [];
    if (atMs === undefined || length === undefined) {
      stop();
      return;
    }
    timer.current = setTimeout(
      () => {
        setStep([atMs, length]);
        show(steps, next + 1, began);
      },
      Math.max(0, began + atMs - performance.now()),
    );
  };
  const play = (): void => {
    stop();
    setStep([0, 0]);
    playback(interaction).then((steps) => show(steps, 0, performance.now()), stop);
  };
  return { length: step?.[1], atMs: step?.[0] ?? 0, play, stop };
}

/** Somebody who wants things to stand still is not shown text that grows. */
export function prefersStillness(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
