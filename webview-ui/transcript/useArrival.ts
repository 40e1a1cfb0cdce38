import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isInteraction, TRANSCRIPT_FOCUS } from '../../src/protocol/transcript';
import type { TranscriptPeer } from './useTranscript';

/** An interaction that the host asked to see. */
export interface Arrival {
  readonly interaction: number;
}

/** What the host asked to see last. It may ask before there is a transcript. */
export function useArrival(peer: TranscriptPeer): Arrival | undefined {
  const [arrival, setArrival] = useState<Arrival>();
  useEffect(() => peer.on(TRANSCRIPT_FOCUS, isInteraction, setArrival), [peer]);
  return arrival;
}

/** Goes there once. */
export function useGoTo(feed: RefObject<HTMLElement | null>, arrival: Arrival | undefined): void {
  useEffect(() => {
    const entry = arrival && feed.current?.querySelector<HTMLElement>(`[data-interaction="${arrival.interaction}"]`);
    if (!entry) return;
    entry.scrollIntoView({ block: 'start' });
    entry.focus({ preventScroll: true });
    greet(entry);
  }, [feed, arrival]);
}

/** A short glow: in a long page of like things, it is this one. */
function greet(entry: HTMLElement): void {
  entry.classList.add('arrived');
  entry.addEventListener('animationend', () => entry.classList.remove('arrived'), { once: true });
}
