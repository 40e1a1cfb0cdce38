import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How far outside the visible part an element counts as near. */
const MARGIN = '1200px 0px';

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Has the element been near the visible part of the page, or is it wanted anyway? Once true, it stays so. */
export function useNear(element: RefObject<Element | null>, eager: boolean): boolean {
  const [near, setNear] = useState(() => eager || isReadAloud());
  useEffect(() => {
    if (eager) setNear(true);
    if (near || eager || element.current === null) return undefined;
    return whenNear(element.current, () => setNear(true));
  }, [element, near, eager]);
  return near || eager;
}

/** A screen reader reads on without scrolling. */
function isReadAloud(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}

function whenNear(element: Element, arrive: () => void): () => void {
  // With the document as its root: a margin around the default one is ignored in VS Code's nested frames.
  observer ??= new IntersectionObserver(onIntersection, { root: document, rootMargin: MARGIN });
  waiting.set(element, arrive);
  observer.observe(element);
  return () => observer?.unobserve(element);
}

function onIntersection(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer?.unobserve(target);
    waiting.get(target)?.();
  }
}
