/** Something the user can put right. The message names the file and the place, `fix` the way out. */
export class UserError extends Error {
  constructor(
    message: string,
    readonly fix?: string,
  ) {
    super(message);
    this.name = 'UserError';
  }
}
