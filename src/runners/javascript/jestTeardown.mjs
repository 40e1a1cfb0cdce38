// After the tests of a run of Jest.
// biome-ignore lint/style/noDefaultExport: Jest takes no other
export { stop as default } from './jestServer.mjs';
