// What the memory of a VS Code with a large tape comes to, in words.
/** @typedef {import('./processMemory.mjs').Held} Held */

const MB = 1e6;

/**
 * @param {Held} without VS Code with a small tape open, and nothing else
 * @param {Record<string, Held>} measured with the large one, by when
 * @param {number} size of the large one, in bytes
 * @returns {string}
 */
export function memoryReport(without, measured, size) {
  const times = (bytes) => (bytes / size).toFixed(2);
  const line = (name, held) =>
    `  ${name.padEnd(20)} ${megabytes(held.host, 5)} ${megabytes(held.window, 7)} ${megabytes(together(held), 6)} ${megabytes(together(held) - together(without), 6)}  ${times(together(held) - together(without))}`;
  return [
    'memory in MB (PSS)      host  window    sum  added  times the file',
    line('a small tape open', without),
    ...Object.entries(measured).map(([name, held]) => line(name, held)),
    `  what the tape adds, at its most: ${times(addedMost(without, measured))} times the file`,
  ].join('\n');
}

/** What the large tape adds, at its most, in bytes. @param {Held} without @param {Record<string, Held>} measured */
export function addedMost(without, measured) {
  return Math.max(...Object.values(measured).map(together)) - together(without);
}

function together({ host, window }) {
  return host + window;
}

function megabytes(bytes, width) {
  return (bytes / MB).toFixed(0).padStart(width);
}
