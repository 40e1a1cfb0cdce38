/** A moment as it is shown in texts, in the user's time and language. `time` is in milliseconds since 1970. */
export function shownTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
