const [WIDTH, HEIGHT, MARGIN, LEGEND] = [720, 480, 56, 190];
const COLOURS = ['#0b6bcb', '#c4320a', '#087443', '#7a2e9e', '#8a6d00'];

/**
 * Curves in a diagram whose axes are logarithmic, with the slope of n log n to compare them with.
 * @param {readonly number[]} sizes @param {Readonly<Record<string, readonly number[]>>} curves milliseconds by size
 */
export function growthPicture(sizes, curves) {
  const all = Object.values(curves).flat();
  const [low, high] = [10 ** Math.floor(Math.log10(Math.min(...all))), 10 ** Math.ceil(Math.log10(Math.max(...all)))];
  const scale = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ to) =>
    (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from));
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)];
  const x = (/** @type {number} */ size) => MARGIN + scale(size, first, last) * (WIDTH - MARGIN - LEGEND);
  const y = (/** @type {number} */ time) => HEIGHT - MARGIN - scale(time, low, high) * (HEIGHT - 2 * MARGIN);
  const line = (/** @type {readonly (readonly [number, number])[]} */ points, /** @type {string} */ style) =>
    `<polyline fill="none" ${style} points="${points.map(([size, time]) => `${x(size).toFixed(1)},${y(time).toFixed(1)}`).join(' ')}"/>`;
  const text = (
    /** @type {number} */ left,
    /** @type {number} */ top,
    /** @type {string} */ words,
    anchor = 'start',
    fill = '#333',
  ) => `<text x="${left.toFixed(1)}" y="${top.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${words}</text>`;
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, at) => low * 10 ** at);
  const slope = sizes.map(
    (size) => /** @type {const} */ ([size, (high * size * Math.log(size)) / (last * Math.log(last))]),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(MARGIN, 24, 'Processor time in milliseconds, by interactions or files'),
    ...decades.map(
      (time) =>
        `${line(
          [
            [first, time],
            [last, time],
          ],
          'stroke="#ddd"',
        )}${text(MARGIN - 6, y(time) + 4, time.toLocaleString('en'), 'end')}`,
    ),
    ...sizes.map((size) => text(x(size), HEIGHT - MARGIN + 20, size.toLocaleString('en'), 'middle')),
    line(
      slope.filter(([, time]) => time >= low),
      'stroke="#999" stroke-dasharray="4 4"',
    ),
    text(x(last) + 8, y(high) + 4, 'n log n', 'start', '#777'),
    ...Object.entries(curves).map(([name, times], at) => {
      const colour = COLOURS[at % COLOURS.length] ?? '#000';
      const points = sizes.map((size, index) => /** @type {const} */ ([size, times[index] ?? low]));
      return `${line(points, `stroke="${colour}" stroke-width="2"`)}${text(WIDTH - LEGEND + 16, 92 + 20 * at, name, 'start', colour)}`;
    }),
    '</svg>\n',
  ].join('\n');
}
