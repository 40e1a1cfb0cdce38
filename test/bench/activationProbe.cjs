// Runs in the extension host: activates extensions one after the other, in turns the first one first or last, because whoever comes first
// pays for what the host prepares then. Writes how long each took.
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');

const EXTENSIONS = ['tapedeck.tapedeck', 'vscode.merge-conflict', 'vscode.npm', 'vscode.markdown-language-features'];

exports.run = async () => {
  const times = {};
  const order = process.env.TAPEDECK_REVERSED ? EXTENSIONS.toReversed() : EXTENSIONS;
  for (const id of order) {
    const extension = vscode.extensions.getExtension(id);
    if (!extension) throw new Error(`there is no extension ${id}`);
    if (extension.isActive) continue;
    const start = performance.now();
    await extension.activate();
    times[id] = performance.now() - start;
  }
  writeFileSync(process.env.TAPEDECK_PROBE, JSON.stringify(times));
};
