// Runs in a page: draws each frame of the film, and encodes the part of it that differs from the one before. It is loaded as it is,
// because tsx would give its functions a helper that the page does not have.
const CAPTION_HEIGHT = 44;
const POINTER = new Path2D('M0 0 L0 17 L4 13.4 L6.6 19.4 L9.6 18.1 L7 12.2 L12.4 12 Z');

let before;

/**
 * @param {{ png: string, caption: string, pointer: { x: number, y: number, pressed: boolean } | undefined, quality: number }} shot
 * @returns the changed part as a `data:` URI, with its place; undefined where nothing changed
 */
globalThis.encodeFrame = async ({ png, caption, pointer, quality }) => {
  const image = new Image();
  image.src = png;
  await image.decode();
  const whole = canvas(image.width, image.height + CAPTION_HEIGHT);
  const context = whole.getContext('2d', { alpha: false, willReadFrequently: true });
  context.drawImage(image, 0, 0);
  drawCaption(context, caption, image.width, image.height);
  if (pointer !== undefined) drawPointer(context, pointer);
  const now = context.getImageData(0, 0, whole.width, whole.height);
  const place = before === undefined ? { x: 0, y: 0, width: now.width, height: now.height } : changed(before, now);
  before = now;
  if (place === undefined) return undefined;
  const part = canvas(place.width, place.height);
  part.getContext('2d', { alpha: false }).drawImage(whole, -place.x, -place.y);
  return { ...place, picture: part.toDataURL('image/webp', quality) };
};

function canvas(width, height) {
  return Object.assign(document.createElement('canvas'), { width, height });
}

function drawCaption(context, caption, width, top) {
  context.fillStyle = '#1f2a44';
  context.fillRect(0, top, width, CAPTION_HEIGHT);
  context.fillStyle = '#f6eddc';
  context.font = '600 18px sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(caption, width / 2, top + CAPTION_HEIGHT / 2 + 1);
}

function drawPointer(context, { x, y, pressed }) {
  context.save();
  context.translate(x, y);
  if (pressed) {
    context.beginPath();
    context.arc(0, 0, 16, 0, 2 * Math.PI);
    context.fillStyle = 'rgba(226, 98, 62, 0.55)';
    context.fill();
  }
  context.fillStyle = '#ffffff';
  context.strokeStyle = '#000000';
  context.lineWidth = 1.4;
  context.fill(POINTER);
  context.stroke(POINTER);
  context.restore();
}

/** The smallest part that holds every difference, at an even place. */
function changed(old, now) {
  const { width, height } = now;
  const was = new Uint32Array(old.data.buffer);
  const is = new Uint32Array(now.data.buffer);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < is.length; at += 1) {
    if (was[at] === is[at]) continue;
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return undefined;
  left -= left % 2;
  top -= top % 2;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
