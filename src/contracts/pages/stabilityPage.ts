import { anything, count, list, nothing, optional, shape, text, trusted } from '../../core/schema/schema';
import { call, returns } from '../contract';
import type { StabilityReport } from '../engine/stability';
import { reportPage } from './report';

/** The host is our own: the content of the lists is trusted. */
export const shownStability = trusted<StabilityReport>(
  shape({
    name: text(),
    takes: count(),
    varying: list(anything()),
    snippets: list(anything()),
    caseUri: optional(text()),
  }),
);

export const stabilityPage = reportPage(shownStability, {
  /** Adds what is suggested to the files, with the rules for the case or for the project, as edits that can be undone, and shows them. */
  addRules: call(text('', { enum: ['case', 'project'] }), returns<void>()),
  openCase: call(nothing, returns<void>()),
});
