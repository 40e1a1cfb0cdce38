/** A name for a fork beside its tape: `refund.tape.json` → `refund.fork.tape.json`, then `refund.fork-2.tape.json`. */
export function forkName(tape: string, isTaken: (name: string) => boolean): string {
  const [ending = ''] = /(?:\.tape)?\.[^./]+(?:\.gz)?$/.exec(tape) ?? [];
  const stem = tape.slice(0, tape.length - ending.length).replace(/\.fork(?:-\d+)?$/, '');
  for (let count = 1; ; count += 1) {
    const name = `${stem}.fork${count === 1 ? '' : `-${count}`}${ending}`;
    if (!isTaken(name)) return name;
  }
}
