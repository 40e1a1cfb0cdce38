// Looks for secrets in what was written or said, in every form in which it could be put together again.
import * as zlib from 'node:zlib';

const { brotliDecompressSync, gunzipSync, inflateSync } = zlib;

const DEPTH = 5;

/**
 * All texts that a text holds: itself, without escapes, decoded, unpacked, and the pieces of its streams in one; level by level,
 * so that a text that is reached in several ways counts as reached in the shortest.
 * @param {string} text
 */
export function textsIn(text) {
  /** @type {Set<string>} */
  const found = new Set();
  let level = [text];
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    const fresh = [...new Set(level)].filter((one) => one.length >= 8 && !found.has(one));
    for (const one of fresh) found.add(one);
    level = fresh.flatMap(insideOf);
  }
  return found;
}

/** The texts that a text holds at the next level. @param {string} text */
function insideOf(text) {
  return [
    ...(/\\u[0-9a-f]{4}|\\["\\/nrt]/i.test(text) ? [unescaped(text)] : []),
    ...quotedLists(text),
    ...(/%[0-9a-f]{2}/i.test(text) ? [unpercented(text)] : []),
    ...(/&(?:quot|apos|amp|lt|gt|#x?[0-9a-f]+);/i.test(text) ? [unentitled(text)] : []),
    ...(/[\0\ufffd]/.test(text) ? [text.replace(/\0/g, '')] : []),
    ...packedIn(text),
    ...[...text.matchAll(/(?:[2-7][0-9a-f]|0[9ad]){32,}/g)].map(([digits]) => Buffer.from(digits, 'hex').toString()),
    ...joinedIn(text),
  ];
}

/** The lists of JSON in quoted strings: a stream may come as one. @param {string} text */
function quotedLists(text) {
  return [...text.matchAll(/"\[(?:\\n| )*\{(?:[^"\\\n]|\\.)*"/g)].flatMap(([quoted]) => {
    const list = parsed(quoted);
    return typeof list === 'string' ? [list] : [];
  });
}

/** Without the entities of HTML. @param {string} text */
function unentitled(text) {
  const names = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(quot|apos|amp|lt|gt));/gi, (_, hex, number, name) =>
    name
      ? names[/** @type {keyof typeof names} */ (name.toLowerCase())]
      : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(number)),
  );
}

/** @param {string} text */
function unescaped(text) {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, four, two, one) =>
    four || two ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : ({ n: '\n', r: '\r', t: '\t' }[one] ?? one),
  );
}

/** @param {string} text */
function unpercented(text) {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

/** @param {string} text */
function packedIn(text) {
  /** @type {string[]} */
  const inside = [];
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12}(?:[A-Za-z0-9+/_-]|\s+|\\n)*={0,2}/g)) {
    const bytes = Buffer.from(run.replace(/\\n|\s/g, ''), 'base64');
    inside.push(...decodings(bytes));
    if (/\s|\\n/.test(run))
      for (const word of run.split(/\s+|\\n/))
        if (word.length >= 12) inside.push(...decodings(Buffer.from(word, 'base64')));
  }
  return inside;
}

/** @param {Buffer} bytes @returns {string[]} */
export function decodings(bytes) {
  /** @type {string[]} */
  const texts = [];
  for (const unpack of [gunzipSync, inflateSync, zlib.zstdDecompressSync, brotliDecompressSync]) {
    if (unpack === undefined) continue;
    if (unpack === gunzipSync && bytes[0] !== 0x1f) continue;
    if (unpack === zlib.zstdDecompressSync && bytes[0] !== 0x28) continue;
    if (unpack === inflateSync && (bytes[0] ?? 0) !== 0x78) continue;
    if (unpack === brotliDecompressSync && bytes.length < 30) continue;
    try {
      texts.push(...decodings(unpack(bytes)));
    } catch {
      // It is something else.
    }
  }
  const latin1 = bytes.toString('latin1');
  const utf8 = bytes.toString('utf8');
  texts.push(latin1, ...(utf8 === latin1 ? [] : [utf8]));
  if (bytes.includes(0)) {
    texts.push(bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le'));
    const swapped = Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
    texts.push(swapped.toString('utf16le'));
  }
  return readable(texts);
}

/** Random bytes are no text. @param {string[]} texts */
function readable(texts) {
  return texts.filter((text) => (text.match(/[\n\x20-\x7e]{8}/g)?.length ?? 0) > 0);
}

/** The texts of the same member, one after the other: so a stream is put together, whatever its protocol. @param {string} text */
function joinedIn(text) {
  /** @type {Map<string, string>} */
  const joined = new Map();
  const values = jsonIn(text);
  if (values.length === 0) return plainEvents(text);
  for (const value of values) collect(value, '', '', joined);
  return [...joined.values(), ...plainEvents(text)];
}

/** @param {string} text */
function plainEvents(text) {
  const data = [...text.matchAll(/^(?:data: ?|\d:)(.*)$/gm)].map(([, line = '']) => line);
  if (data.length < 2) return [];
  return [data.join(''), data.map((line) => line.replace(/^"|"$/g, '')).join('')];
}

/** The objects of JSON between other bytes, as in the frames of an AWS event stream. @param {string} text */
function objectsIn(text) {
  /** @type {unknown[]} */
  const objects = [];
  for (let start = text.indexOf('{"'); start !== -1; start = text.indexOf('{"', start + 1)) {
    let depth = 0;
    let quoted = false;
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char === '\\') at += 1;
      else if (char === '"') quoted = !quoted;
      else if (!quoted && char === '{') depth += 1;
      else if (!quoted && char === '}') depth -= 1;
      if (depth > 0) continue;
      const value = parsed(text.slice(start, at + 1));
      if (value !== undefined) {
        objects.push(value);
        start = at;
      }
      break;
    }
  }
  return objects;
}

/** @param {string} text */
function jsonIn(text) {
  const whole = parsed(text);
  if (whole !== undefined) return typeof whole === 'object' && whole !== null ? [whole] : [];
  if (text.includes('\0')) return objectsIn(text);
  const inLines = jsonInLines(text);
  return inLines.length > 0 ? inLines : objectsIn(text);
}

/** @param {string} text */
function jsonInLines(text) {
  const lines = text.split('\n').map((line) => line.replace(/^(?:data: ?|\s*-?\s*(?:string|body|data): ?['"]?)/, ''));
  return lines.flatMap((line) => {
    const value = /^\s*[[{]/.test(line) ? parsed(line) : undefined;
    return value === undefined ? [] : [value];
  });
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @param {string} path @param {string} mark @param {Map<string, string>} joined */
function collect(value, path, mark, joined) {
  if (typeof value === 'string') {
    for (const key of [path, `${mark}/${path}`]) joined.set(key, (joined.get(key) ?? '') + value);
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
    if (inner !== undefined) collect(inner, `${path}>`, mark, joined);
    const packed = /^eyJ/.test(value) ? parsed(Buffer.from(value, 'base64').toString()) : undefined;
    if (packed !== undefined) collect(packed, `${path}>`, mark, joined);
  } else if (Array.isArray(value)) for (const one of value) collect(one, path, mark, joined);
  else if (typeof value === 'object' && value !== null) {
    const { index } = /** @type {{ index?: unknown }} */ (value);
    const own = typeof index === 'number' ? `${mark}.${index}` : mark;
    for (const [name, member] of Object.entries(value)) collect(member, `${path}.${name}`, own, joined);
  }
}

/** The forms in which a secret counts as found: itself, and its later part, which a cut would leave. @param {string} secret */
export function formsOf(secret) {
  const later = secret.slice(-14);
  return [secret, ...(secret.length >= 20 && /[A-Za-z0-9]{10}/.test(later) ? [later] : [])];
}

const GRAM = 8;

/** Secrets by the last characters of their forms. @param {Iterable<string>} secrets */
export function indexOf(secrets) {
  /** @type {Map<string, { form: string, secret: string }[]>} */
  const index = new Map();
  for (const secret of secrets)
    for (const form of formsOf(secret)) {
      const gram = form.slice(-GRAM);
      index.set(gram, [...(index.get(gram) ?? []), { form, secret }]);
    }
  return index;
}

/** The secrets that a content holds. @param {Buffer} bytes @param {ReturnType<typeof indexOf>} index */
export function secretsIn(bytes, index) {
  /** @type {Set<string>} */
  const found = new Set();
  const look = (/** @type {string} */ text) => {
    for (let end = GRAM; end <= text.length; end += 1)
      for (const { form, secret } of index.get(text.slice(end - GRAM, end)) ?? [])
        if (text.startsWith(form, end - form.length)) found.add(secret);
  };
  for (const text of new Set(decodings(bytes).flatMap((one) => [...textsIn(one)]))) {
    look(text);
    if (/["']|\s/.test(text)) look(text.replace(/\\?["']|\s+|\\n/g, ''));
  }
  return [...found];
}
