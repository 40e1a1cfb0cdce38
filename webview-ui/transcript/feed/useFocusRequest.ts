import { useEffect, useRef, useState } from 'preact/hooks';
import { type Row, rowOf } from '../rows/rows';
import { focusEntry } from '../rows/scrolling';
import { FOCUS_OFFSET, type ScrollTarget } from '../rows/useVirtualRows';
import type { TranscriptPeer } from '../state/useTranscript';

/** A request of the host to show an interaction. */
export interface FocusRequest {
  readonly interaction: number;
}

/** The last request of the host, which may come before there is a transcript. */
export function useFocusRequest(host: TranscriptPeer): FocusRequest | undefined {
  const [request, setRequest] = useState<FocusRequest>();
  useEffect(() => host.on('focus', setRequest), [host]);
  return request;
}

/** Goes to the requested interaction once, as soon as it has been read. */
export function useFocusRequestTarget(
  rows: readonly Row[],
  go: (target: ScrollTarget) => void,
  request: FocusRequest | undefined,
): void {
  const done = useRef<FocusRequest | undefined>(undefined);
  useEffect(() => {
    if (request === undefined || done.current === request) return;
    const row = rowOf(rows, request.interaction);
    if (row === undefined) return;
    done.current = request;
    go({ key: row.view.key, offset: FOCUS_OFFSET, onArrival: focusAndGlow });
  }, [rows, request]);
}

/** Focuses the entry and lets it glow for a moment, so that it stands out among others like it. */
function focusAndGlow(entry: HTMLElement): void {
  focusEntry(entry);
  entry.classList.add('arrived');
  entry.addEventListener('animationend', () => entry.classList.remove('arrived'), { once: true });
}
