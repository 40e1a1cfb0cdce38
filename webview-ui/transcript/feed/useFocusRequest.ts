import { useEffect, useRef, useState } from 'preact/hooks';
import { isInteraction, TRANSCRIPT_FOCUS } from '../../../src/protocol/transcript';
import type { Row } from '../rows/rows';
import type { ScrollTarget } from '../rows/useVirtualRows';
import type { TranscriptPeer } from '../state/useTranscript';

/** An interaction that the host asked to see. */
export interface FocusRequest {
  readonly interaction: number;
}

/** What the host asked to see last. It may ask before there is a transcript. */
export function useFocusRequest(peer: TranscriptPeer): FocusRequest | undefined {
  const [arrival, setArrival] = useState<FocusRequest>();
  useEffect(() => peer.on(TRANSCRIPT_FOCUS, isInteraction, setArrival), [peer]);
  return arrival;
}

/** Goes there once, as soon as the interaction has been read. */
export function useGoToRequest(
  rows: readonly Row[],
  go: (goal: ScrollTarget) => void,
  arrival: FocusRequest | undefined,
): void {
  const done = useRef<FocusRequest | undefined>(undefined);
  useEffect(() => {
    if (arrival === undefined || done.current === arrival) return;
    const row = rows.find(({ head }) => head?.index === arrival.interaction);
    if (row === undefined) return;
    done.current = arrival;
    go({ key: row.view.key, offset: 12, arrived: focusAndGlow });
  }, [rows, arrival]);
}

/** The focus, and a short glow: in a long page of like things, it is this one. */
function focusAndGlow(entry: HTMLElement): void {
  entry.focus({ preventScroll: true });
  entry.classList.add('arrived');
  entry.addEventListener('animationend', () => entry.classList.remove('arrived'), { once: true });
}
