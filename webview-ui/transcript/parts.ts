/** What has to be open for a part to be seen whole, for `ViewState.opened`. */
export function openersOf(part: string): readonly string[] {
  const call = /^(?:call|aside|detail)\d+(?=\.)/.exec(part)?.[0];
  return call === undefined ? ['entry', part] : ['entry', call, part];
}
