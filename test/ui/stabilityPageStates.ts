import type { StabilityReport } from '../../src/contracts/engine/stability';

export const REPORT: StabilityReport = {
  name: 'refund_question',
  casePath: 'cases/refund_question.toml',
  takes: 5,
  folder: '.tapedeck/stability/cases/refund_question',
  summary: 'refund_question: 3 differences between 5 takes.',
  failed: [{ take: 5, message: 'the provider responded with 429 Too Many Requests' }],
  varying: [
    {
      title: 'Response',
      place: 'interaction 2, also in output_text',
      often: 'different in all 5 takes',
      values: ['You can return it until 12 December.', 'Yes, until 12 December.', 'Of course.', 'Yes.', 'Sure.'].map(
        (text, at) => ({ text, takes: [at] }),
      ),
    },
    {
      title: 'Arguments of check_return',
      place: 'interaction 1',
      often: 'differs in 1 of 5 takes',
      values: [
        { text: '{\n  "order": "4711"\n}', takes: [0, 1, 2, 4] },
        { text: '{\n  "order": "4711",\n  "verbose": true\n}', takes: [3] },
      ],
    },
    {
      title: 'Call of lookup_order',
      place: 'interaction 2',
      often: 'differs in 2 of 5 takes',
      values: [
        { text: null, takes: [0, 1, 2] },
        { text: '{"order":"4711"}', takes: [3, 4] },
      ],
    },
  ],
  assertions: [
    { text: 'contains "12 December"', held: 2 },
    { text: 'tool_called "check_return"', held: 5 },
  ],
  ignored: ['date 3', 'uuid 1'],
  snippets: [
    { file: 'case', how: 'add', table: 'normalise', toml: '[normalise]\nignore = ["output_text"]\n' },
    { file: 'case', how: 'below', table: 'assert', toml: 'tool_order = ["check_return"]\n' },
  ],
  everywhere: {
    snippet: {
      file: 'project',
      how: 'add',
      table: 'normalise',
      toml: '[normalise]\npresets = ["uuid"]\nignore = ["output_text"]\n',
    },
    cases: 14,
  },
  conclusion:
    'Still different with these rules: Call of lookup_order. The agent or its model behaves differently each time: a temperature of 0 or a seed may stabilise it.',
};
