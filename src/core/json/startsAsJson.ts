/** Does the text begin as a JSON object or list does? */
export function startsAsJson(text: string): boolean {
  for (let at = 0; ; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) return true;
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09 && char !== 0xfeff) return false;
  }
}
