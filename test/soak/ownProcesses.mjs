/**
 * VS Code's own: its search, the language servers of its built-in extensions, and the detection of ports, which lists sockets and
 * processes (extHostTunnelService.ts).
 */
const OWN = [
  /^\S*\/code-server\/lib\/vscode\/node_modules\/@vscode\/ripgrep\S*\/rg /,
  /^\S*\/node \S*\/code-server\/lib\/vscode\/extensions\//,
  /^\/bin\/sh -c (?:ls -l \/proc\/\[0-9\]\*\/fd\/\[0-9\]\* \| grep socket:|ps -F -A -l \| grep root)$/,
  /^\/usr\/bin\/(?:grep socket:|grep root|ps -F -A -l)$/,
  /^\/usr\/bin\/ls -l(?: \/proc\/\d+\/fd\/\d+)+/,
];

/** @param {readonly string[]} commands of processes below the extension host @returns {string[]} those that are not VS Code's own */
export const withoutOwn = (commands) => commands.filter((command) => !OWN.some((pattern) => pattern.test(command)));
