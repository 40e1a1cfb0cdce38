import { useEffect, useRef, useState } from 'preact/hooks';
import { isInteraction, TRANSCRIPT_FOCUS } from '../../src/protocol/transcript';
import type { Row } from './rows';
import type { TranscriptPeer } from './useTranscript';
import type { Goal } from './useVirtualRows';

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

/** Goes there once, as soon as the interaction has been read. */
export function useGoTo(rows: readonly Row[], go: (goal: Goal) => void, arrival: Arrival | undefined): void {
  const done = useRef<Arrival | undefined>(undefined);
  useEffect(() => {
    if (arrival === undefined || done.current === arrival) return;
    const row = rows.find(({ head }) => head?.index === arrival.interaction);
    if (row === undefined) return;
    done.current = arrival;
    go({ key: row.view.key, offset: 12, arrived: greet });
  }, [rows, arrival]);
}

/** The focus, and a short glow: in a long page of like things, it is this one. */
function greet(entry: HTMLElement): void {
  entry.focus({ preventScroll: true });
  entry.classList.add('arrived');
  entry.addEventListener('animationend', () => entry.classList.remove('arrived'), { once: true });
}
