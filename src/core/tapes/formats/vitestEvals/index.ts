import { layoutFormat } from '../shared/layoutFormat';

/** Tool calls that Sentry's vitest-evals recorded (`.vitest-evals/recordings`): a file for each. */
export const vitestEvalsFormat = layoutFormat({
  id: 'vitest-evals',
  label: 'vitest-evals recording',
  files: ['json'],
  marks: ['writtenAt', 'toolName', 'metadata.cacheKey'],
  layout: {
    version: 'metadata.version',
    tool: { name: 'toolName', input: 'input', output: 'output' },
    error: 'error',
    request: [],
    response: [],
  },
});
