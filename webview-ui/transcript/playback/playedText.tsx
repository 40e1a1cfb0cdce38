import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { PLAY_SPEEDS } from '../../../src/contracts/transcript/transcript';
import { t } from '../../../src/core/text/l10n';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';
import { Icon } from '../../base/icon';
import { formatDuration } from '../../base/numbers';
import { keyNames } from '../commands';
import { useActions } from '../state/actions';
import { SpeedContext } from '../state/playbackSpeed';
import type { EntryView } from '../state/viewModel';
import { prefersReducedMotion, usePlayback } from './usePlayback';

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
          {isPlaying ? formatDuration(atMs) : t('Play stream')}
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
