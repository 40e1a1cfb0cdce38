/** The two parts of a change's id. */
export interface ChangeId {
  readonly what: string;
  readonly where: string;
}

export function writeChangeId({ what, where }: ChangeId): string {
  return `${what}-${where}`;
}

/** What was changed, wherever: equal for changes that are alike. */
export function whatChanged(id: string): string {
  const [what = ''] = id.split('-');
  return what;
}
