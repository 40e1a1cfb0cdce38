import type { VNode } from 'preact';

/** A line with changed words, such as `Today is 2026-11-[-22-]{+23+}`, as the core writes it: they are struck out and inserted. */
export function ChangedLine({ line }: { readonly line: string }): VNode {
  const parts = line.split(/(\[-.*?-\](?=\{\+|[^\]]|$)|\{\+.*?\+\})/);
  return (
    <>
      {parts.map((part) => {
        if (part.startsWith('[-') && part.endsWith('-]')) return <del>{part.slice(2, -2)}</del>;
        if (part.startsWith('{+') && part.endsWith('+}')) return <ins>{part.slice(2, -2)}</ins>;
        return part;
      })}
    </>
  );
}
