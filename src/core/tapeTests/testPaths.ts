/** The folder of a path; the root is the empty text. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folder and those that it is in, down to the root, which is the empty text. */
export function ancestorsOf(folder: string): string[] {
  return folder === '' ? [''] : [folder, ...ancestorsOf(folderOf(folder))];
}

export function joined(...parts: readonly string[]): string {
  return normal(parts.filter((part) => part !== '').join('/'));
}

/** Without `.` and `..`. */
export function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
