import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The listener of the region that is on the page. */
let listener: ((text: string) => void) | undefined;

/** Lets a screen reader say something that is only seen otherwise, after what it says now. */
export function announce(text: string): void {
  listener?.(text);
}

/** The live region of `announce`. It stays on the page: what comes with its region is not announced. */
export function Announcements(): VNode {
  const [text, setText] = useState('');
  useEffect(() => {
    listener = setText;
    return () => {
      listener = undefined;
    };
  }, []);
  return (
    <div class="visually-hidden announcements" role="status">
      {text}
    </div>
  );
}
