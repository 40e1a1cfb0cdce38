import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { PLAY_SPEEDS, type PlaySpeed } from '../../../src/contracts/transcript/transcript';
import { t } from '../../../src/core/text/l10n';
import type { PlaybackStep } from '../../../src/core/transcript/playback';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';
import { announce } from '../../base/announcements';
import { Icon } from '../../base/icon';
import { formatDuration } from '../../base/numbers';
import { keyNames } from '../commands';
import { useActions } from '../state/actions';
import { pauseAt, SpeedContext } from '../state/playbackSpeed';
import type { EntryView } from '../state/viewModel';

interface PlayableTextProps {
  readonly view: EntryView;
  readonly entry: TranscriptEntry;
  /** Shown while nothing is played. */
  readonly whole: VNode;
}

/** A streamed response, which can be played as it arrived. */
export function PlayableText({ view, entry, whole }: PlayableTextProps): VNode {
  const { length, atMs, play, stop } = usePlayback(view.interaction);
  if (prefersReducedMotion()) return whole;
  const isPlaying = length !== undefined;
  return (
    <>
      {isPlaying ? (
        <p class="played" dir="auto">
          {entry.text.slice(0, length)}
        </p>
      ) : (
        whole
      )}
      <p class="playback">
        <button type="button" class="button-quiet play" onClick={isPlaying ? stop : play}>
          <Icon name={isPlaying ? 'close' : 'play'} />
          {isPlaying ? formatDuration(atMs) : t('Play Stream')}
        </button>
        <SpeedChoice />
      </p>
    </>
  );
}

function SpeedChoice(): VNode {
  const { change } = useActions();
  const speed = useContext(SpeedContext);
  return (
    <select
      aria-label={t('Playback speed')}
      title={t('Playback speed ({0} slower, {1} faster)', keyNames('slower')[0] ?? '', keyNames('faster')[0] ?? '')}
      value={speed}
      onChange={({ currentTarget }) => {
        const chosen = PLAY_SPEEDS.find((one) => one === currentTarget.value);
        if (chosen !== undefined) change({ type: 'speed', speed: chosen });
      }}
    >
      {PLAY_SPEEDS.map((one) => (
        <option key={one} value={one}>
          {one === 'max' ? t('No pauses') : `${one}\u00d7`}
        </option>
      ))}
    </select>
  );
}

interface Playback {
  /** How much of the response has arrived, in UTF-16 units; undefined while nothing is played. */
  readonly length: number | undefined;
  /** Milliseconds since the request. */
  readonly atMs: number;
  play(): void;
  stop(): void;
}

/** Plays a streamed response at the chosen speed, which may change during playback. */
function usePlayback(interaction: number): Playback {
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
function prefersReducedMotion(): boolean {
  return (
    document.body.classList.contains('vscode-reduce-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
