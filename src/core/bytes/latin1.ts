/** Decodes one character per byte. (`TextDecoder('latin1')` decodes windows-1252 instead.) */
export function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 8192));
  return text;
}

export function encodeLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0xff)
      throw new RangeError(`U+${code.toString(16).padStart(4, '0')} cannot be written to a file that is not UTF-8`);
    bytes[at] = code;
  }
  return bytes;
}
