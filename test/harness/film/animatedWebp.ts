/** A part of the picture that is replaced, and how long the picture then stands. */
export interface Frame {
  /** Even, as the format has only half of it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly milliseconds: number;
  /** A WebP file of its own, of that part. */
  readonly picture: Uint8Array;
}

export interface FilmFacts {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly milliseconds: number;
}

/** What a picture is made of; the rest of its file is not part of a frame. */
const PICTURE_CHUNKS = new Set(['ALPH', 'VP8 ', 'VP8L']);
const ANIMATED = 0x02;
const REPLACES = 0x02;

/** Joins pictures to one animated WebP, which is played for ever. */
export function animatedWebp(width: number, height: number, frames: readonly Frame[]): Buffer {
  const header = Buffer.concat([u32(ANIMATED), u24(width - 1), u24(height - 1)]);
  const endless = Buffer.concat([u32(0), Buffer.alloc(2)]);
  const body = [chunk('VP8X', header), chunk('ANIM', endless), ...frames.map((frame) => chunk('ANMF', content(frame)))];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...body]));
}

/** Size and length of an animated WebP. Throws where it is none. */
export function readFilm(file: Buffer): FilmFacts {
  const [riff] = chunksOf(file);
  if (riff?.name !== 'RIFF' || riff.data.toString('latin1', 0, 4) !== 'WEBP') throw new Error('This is no WebP.');
  const chunks = [...chunksOf(riff.data.subarray(4))];
  const header = chunks.find(({ name }) => name === 'VP8X')?.data;
  if (header === undefined || ((header[0] ?? 0) & ANIMATED) === 0) throw new Error('This WebP is not animated.');
  const frames = chunks.filter(({ name }) => name === 'ANMF').map(({ data }) => data.readUIntLE(12, 3));
  const milliseconds = frames.reduce((sum, each) => sum + each, 0);
  return {
    width: header.readUIntLE(4, 3) + 1,
    height: header.readUIntLE(7, 3) + 1,
    frames: frames.length,
    milliseconds,
  };
}

function content({ x, y, width, height, milliseconds, picture }: Frame): Buffer {
  const place = [x / 2, y / 2, width - 1, height - 1, milliseconds].map(u24);
  return Buffer.concat([...place, Buffer.from([REPLACES]), ...pictureChunks(Buffer.from(picture))]);
}

function pictureChunks(file: Buffer): readonly Buffer[] {
  const [riff] = chunksOf(file);
  return [...chunksOf(riff?.data.subarray(4) ?? Buffer.alloc(0))]
    .filter(({ name }) => PICTURE_CHUNKS.has(name))
    .map(({ name, data }) => chunk(name, data));
}

function* chunksOf(bytes: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    yield { name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) };
    at += 8 + size + (size % 2);
  }
}

function chunk(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), u32(data.length), data, Buffer.alloc(data.length % 2)]);
}

function u24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
