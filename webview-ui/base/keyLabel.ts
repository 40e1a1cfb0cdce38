const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '\u2191',
  ArrowDown: '\u2193',
  Escape: 'Esc',
  ContextMenu: 'Menu',
};

/** A key, or a chord such as `Alt+ArrowUp`, as the interface writes it: `J` for `j`, `Shift+A` for `A`. */
export function keyLabel(chord: string): string {
  const parts = chord.length === 1 ? [chord] : chord.split('+');
  return parts.map(partLabel).join('+');
}

function partLabel(part: string): string {
  if (/^[A-Z]$/.test(part)) return `Shift+${part}`;
  return part.length === 1 ? part.toUpperCase() : (NAMES[part] ?? part);
}
