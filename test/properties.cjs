// Property tests draw the same examples each time, so that a run turns red because of a change and not by chance.
// `node test/soak/properties.mjs` draws others.
require('fast-check').configureGlobal({ seed: Number(process.env.TAPEDECK_SEED ?? 1) });
