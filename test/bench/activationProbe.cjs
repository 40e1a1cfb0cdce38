// Runs in the extension host: activates extensions one after the other, in turns the first one first or last, because whoever comes first
// pays for what the host prepares then. Writes how long each took, and where each is. It begins when the window has come to rest: before
// that, VS Code activates extensions of its own at the same time.
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');

const QUIET_MS = 1000;
const LONGEST_START_MS = 60_000;

exports.run = async () => {
  await startOfWindow();
  const order = JSON.parse(process.env.TAPEDECK_EXTENSIONS).map(extension);
  const early = order.filter(({ isActive }) => isActive).map(({ id }) => id);
  const times = {};
  for (const one of order) {
    const start = performance.now();
    await one.activate();
    times[one.id] = performance.now() - start;
  }
  const places = Object.fromEntries(order.map(({ id, extensionPath }) => [id, extensionPath]));
  writeFileSync(process.env.TAPEDECK_PROBE, JSON.stringify({ times, early, places }));
};

function extension(id) {
  const found = vscode.extensions.getExtension(id);
  if (!found) throw new Error(`there is no extension ${id}`);
  return found;
}

/** Until no extension has been activated for a while. */
async function startOfWindow() {
  const start = performance.now();
  let active = '';
  for (let since = start; performance.now() - since < QUIET_MS; ) {
    if (performance.now() - start > LONGEST_START_MS) throw new Error('the window does not come to rest');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = vscode.extensions.all.filter(({ isActive }) => isActive).map(({ id }) => id);
    if (now.join() !== active) since = performance.now();
    active = now.join();
  }
}
