/** The least contrast of text that WCAG 2.2 AA allows. */
const MIN_CONTRAST = 4.5;
/** Steps from a colour to black or white. */
const STEPS = 10;

type Rgb = readonly [red: number, green: number, blue: number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/**
 * `color` as `#rrggbb`, darkened or lightened as far as it takes to be readable on every background of a diff. `colors` are
 * the theme's, by their ids in VS Code, as `#rrggbb` or `#rrggbbaa`.
 */
export function readableOnDiff(color: string, colors: Readonly<Record<string, string>>): string {
  const backgrounds = diffBackgrounds(colors);
  const surface = backgrounds[0];
  if (surface === undefined) return color;
  const token = over(surface, color);
  const target = contrast(BLACK, surface) > contrast(WHITE, surface) ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(token, target, step / STEPS);
    if (backgrounds.every((background) => contrast(candidate, background) >= MIN_CONTRAST)) return toHex(candidate);
  }
  return toHex(target);
}

/** The plain background first, then those of marked lines and of marked text in them. */
function diffBackgrounds(colors: Readonly<Record<string, string>>): readonly Rgb[] {
  const surface = colors['editor.background'];
  if (surface === undefined) return [];
  const plain = over(WHITE, surface);
  return [
    plain,
    ...['removed', 'inserted'].flatMap((kind) => {
      const line = over(plain, colors[`diffEditor.${kind}LineBackground`]);
      return [line, over(line, colors[`diffEditor.${kind}TextBackground`])];
    }),
  ];
}

/** The visible colour where a colour, perhaps a transparent one, lies over another. */
function over(below: Rgb, color: string | undefined): Rgb {
  if (color === undefined) return below;
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  const alpha = color.length === 9 ? part(7) / 255 : 1;
  return mix(below, [part(1), part(3), part(5)], alpha);
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * share;
  return [channel(0), channel(1), channel(2)];
}

/** From 1 (the same) to 21 (black on white), as WCAG defines it. */
function contrast(left: Rgb, right: Rgb): number {
  const first = luminance(left);
  const second = luminance(right);
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
