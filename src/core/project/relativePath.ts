/** The way from a folder to a file, with `/`. Both are absolute paths with `/`, on one file system. */
export function relativePath(folder: string, file: string): string {
  const from = folder.split('/').filter((part) => part !== '');
  const to = file.split('/').filter((part) => part !== '');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
