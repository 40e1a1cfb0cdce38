/** Takes back the indentation that the lines after the first have from standing in a larger file. */
export function dedent(text: string): string {
  const indents = [...text.matchAll(/\n([ \t]*)\S/g)].map(([, indent = '']) => indent.length);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return common === 0 ? text : text.replaceAll(new RegExp(`\\n[ \\t]{${common}}`, 'g'), '\n');
}
