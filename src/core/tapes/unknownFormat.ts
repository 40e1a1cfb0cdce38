import { message, t } from '../text/l10n';
import type { Problem } from '../text/source';

/** The code of the problem of a file in no known format. */
export const UNKNOWN_FORMAT = 'unknown-format';
/** The same, of a file whose format can be described: it has requests or responses of a model. */
export const DESCRIBABLE_FORMAT = 'describable-format';

/** Whether a listed tape is in no known format. */
export function isOfUnknownFormat({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ code }) => code === UNKNOWN_FORMAT) || isDescribable({ problems });
}

export function isDescribable({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ code }) => code === DESCRIBABLE_FORMAT);
}

/** Why a file is no tape, and what can be done about it. `likeness` is a sentence about the format that it is most like. */
export function unknownFormat(canBeDescribed: boolean, likeness: string | undefined): Problem {
  const problem = { severity: 'warning', span: { start: 0, end: 0 } } as const;
  const [code, why, wayOut] = canBeDescribed
    ? [DESCRIBABLE_FORMAT, DESCRIBABLE, DESCRIBE]
    : [UNKNOWN_FORMAT, FOREIGN, CONVERT];
  return { ...problem, code, message: t(why), fix: [likeness ?? [], t(wayOut)].flat().join(' ') };
}

const DESCRIBABLE = message('its format is not known, but it has requests or responses of a model');
const DESCRIBE = message('Choose Describe This Format…: then it is a tape, which can be replayed and converted.');
const FOREIGN = message('its format is not known, and it has no request or response of a model that Tapedeck knows');
const CONVERT = message(
  'See `tapedeck formats` for the formats that are read. If it is no recording, move it out of the folder of tapes, or give it another name.',
);
