// Loaded into each worker of Vitest: every test has a lane.
import * as vitest from 'vitest';
import { Lanes, withoutRepeats } from './lane.mjs';

const server = vitest.inject('tapedeck');
if (server !== undefined) {
  const lanes = new Lanes({ ...server, rerecord: (id) => `vitest run -u -t ${JSON.stringify(id)}` });
  const testOf = (task) => {
    const names = [];
    for (let one = task; one && one !== task.file; one = one.suite) names.unshift(one.name);
    return { file: task.file.filepath, name: names.join(' > '), id: names.join(' ') };
  };
  const outcomeOf = ({ result, fails }) => {
    if (result?.state === 'skip') return 'skipped';
    return (result?.state === 'fail') === Boolean(fails) ? 'passed' : 'failed';
  };
  /** Where the tape lacks something, the error of the client says the same at greater length. */
  const told = async (task, work) => {
    try {
      await work();
    } catch (error) {
      const { errors } = task.result ?? {};
      if (errors !== undefined) task.result.errors = withoutRepeats(errors);
      throw error;
    }
  };
  if (vitest.aroundEach)
    vitest.aroundEach((run, { task }) => told(task, () => lanes.run(testOf(task), run, () => outcomeOf(task))));
  else {
    let end;
    vitest.beforeEach(async ({ task }) => {
      ({ end } = await lanes.enter(testOf(task)));
    });
    vitest.afterEach(async ({ task }) => {
      const ended = end;
      end = undefined;
      await told(task, () => ended?.(outcomeOf(task)));
    });
  }
}
