import { inWords, noticeOf, type Said, type Words } from '../../core/text/notice';

/** An error that the user can fix. The message names the file and the place, `fix` what to do. */
export class UserError extends Error {
  readonly fix: string | undefined;
  readonly said: ErrorTexts;

  constructor(message: Words, fix?: Words) {
    super(inWords(message));
    this.name = 'UserError';
    this.fix = fix && inWords(fix);
    this.said = errorTexts(message, fix);
  }
}

/** What the texts of an error say. */
export interface ErrorTexts {
  readonly message: Said;
  readonly fix: Said;
}

export function errorTexts(message: Words, fix: Words = ''): ErrorTexts {
  return { message: noticeOf(message), fix: noticeOf(fix) };
}
