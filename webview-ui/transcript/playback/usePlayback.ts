import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { PlaybackStep } from '../../../src/core/transcript/playback';
import type { PlaySpeed } from '../../../src/protocol/transcript';
import { useActions } from '../state/actions';
import { pauseAt, SpeedContext } from '../state/playbackSpeed';

export interface Playback {
  /** How much of the answer is there now, in UTF-16 units; undefined while nothing is played. */
  readonly length: number | undefined;
  /** Milliseconds since the request. */
  readonly atMs: number;
  play(): void;
  stop(): void;
}

/** Plays a streamed answer at the speed at which it came, or at another, which may change meanwhile. */
export function usePlayback(interaction: number): Playback {
  const { playback } = useActions();
  const speed = useRef<PlaySpeed>('1');
  speed.current = useContext(SpeedContext);
  const [step, setStep] = useState<PlaybackStep>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => {
    clearTimeout(timer.current);
    setStep(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  /** `due`: when the step before this one was to be shown. */
  const show = (steps: readonly PlaybackStep[], next: number, due: number): void => {
    const [atMs, length] = steps[next] ?? [];
    if (atMs === undefined || length === undefined) {
      stop();
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
    playback(interaction).then((steps) => show(steps, 0, performance.now()), stop);
  };
  return { length: step?.[1], atMs: step?.[0] ?? 0, play, stop };
}

/** Somebody who wants things to stand still is not shown text that grows. */
export function prefersReducedMotion(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
