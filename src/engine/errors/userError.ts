/** An error that the user can fix. The message names the file and the place, `fix` what to do. */
export class UserError extends Error {
  constructor(
    message: string,
    readonly fix?: string,
  ) {
    super(message);
    this.name = 'UserError';
  }
}
