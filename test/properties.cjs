// Property tests draw the same examples each time, so that a run turns red because of a change and not by chance.
// `node test/soak/properties.mjs` draws others.
require('fast-check').configureGlobal({ seed: Number(process.env.TAPEDECK_SEED ?? 1) });

// What the user has confirmed is neither read nor written by tests.
process.env.XDG_STATE_HOME = require('node:fs').mkdtempSync(
  require('node:path').join(require('node:os').tmpdir(), 'tapedeck-state-'),
);
