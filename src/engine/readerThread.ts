import { serveThread } from './readers/readerThread';

serveThread({
  verify: async () => (await import('./verify/verifyTask')).verifyTask,
  facts: async () => (await import('./search/factsTask')).factsTask,
  texts: async () => (await import('./search/textsTask')).textsTask,
});
