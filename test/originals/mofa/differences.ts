import type { MofaCase } from './mofaCase';
import type { Difference } from './outcome';

/** A way in which Tapedeck's `test-dsl` is not MoFA's, on purpose. */
export interface Deliberate {
  readonly reason: string;
  covers(difference: Difference, one: MofaCase): boolean;
}

/** Every difference of the cases with these titles. */
const inCases =
  (...titles: readonly string[]) =>
  (_: Difference, { title }: MofaCase) =>
    titles.includes(title);

const GLOBAL_FLAGS = ['-v', '--verbose', '--output-format', '--output'];

export const DELIBERATE: readonly Deliberate[] = [
  {
    reason: 'a flag of all commands may be repeated, and its last value counts',
    covers: (_, { group, args }) =>
      group === 'flags' && args.filter((argument) => GLOBAL_FLAGS.includes(argument)).length > 1,
  },
  {
    reason: 'a tape beside steps is an error that says so, where MoFA panics',
    covers: (_, { title }) => title === 'a tape and steps',
  },
  {
    reason: 'a file of a case is not written outside of the workspace of the run',
    covers: inCases('a file out of the workspace'),
  },
  {
    reason: 'a key goes only to the host that it belongs to, until the user allows another one',
    covers: inCases('a key that is secret', 'the usual key, which the case does not name'),
  },
  {
    reason: 'a redirect is not followed: the request and its key go to the address in the case only',
    covers: inCases('status 302', 'status 307', 'status 308'),
  },
  {
    reason:
      'a tape is written by a recording that ended without an error only, where MoFA writes it after every response',
    covers: ({ aspect, original, ours }, { group }) =>
      group === 'recording' && /^file .*\.json$/.test(aspect) && original !== undefined && ours === undefined,
  },
  {
    reason: 'the tape that a recording replaces is kept',
    covers: ({ aspect, original }) => aspect.startsWith('file .tapedeck/takes/') && original === undefined,
  },
  {
    reason: 'a recording replaces tapes only, and is refused before the provider is called',
    covers: inCases('over what is no tape', 'in place of a folder', 'to an empty path'),
  },
  { reason: 'the folder of a tape is made', covers: inCases('in a folder that is missing') },
  {
    reason: 'control characters are printed as their codes, so that a response cannot control the terminal',
    covers: ({ aspect }, { title }) => aspect === 'stdout' && title === 'escapes',
  },
];
