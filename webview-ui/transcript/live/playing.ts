import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { isPlayingState, type Playing, TRANSCRIPT_PLAYING } from '../../../src/protocol/transcriptPlaying';
import type { TranscriptPeer } from '../useTranscript';

export const PlayingContext = createContext<Playing | undefined>(undefined);

/** What a run is doing with the tape, as the host says. */
export function usePlayingEvents(peer: TranscriptPeer): Playing | undefined {
  const [playing, setPlaying] = useState<Playing>();
  useEffect(
    () => peer.on(TRANSCRIPT_PLAYING, isPlayingState, ({ playing: next }) => setPlaying(next ?? undefined)),
    [peer],
  );
  return playing;
}

export function usePlaying(): Playing | undefined {
  return useContext(PlayingContext);
}
