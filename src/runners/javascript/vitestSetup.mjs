// Loaded into each worker of Vitest: every test has a lane.
import * as vitest from 'vitest';
import { Lanes } from './lane.mjs';

const told = vitest.inject('tapedeck');
if (told !== undefined) {
  const lanes = new Lanes({ ...told, rerecord: (id) => `vitest run -u -t ${JSON.stringify(id)}` });
  const testOf = (task) => {
    const names = [];
    for (let one = task; one && one !== task.file; one = one.suite) names.unshift(one.name);
    return { file: task.file.filepath, name: names.join(' > '), id: names.join(' ') };
  };
  const outcomeOf = ({ result, fails }) => {
    if (result?.state === 'skip') return 'skipped';
    return (result?.state === 'fail') === Boolean(fails) ? 'passed' : 'failed';
  };
  if (vitest.aroundEach)
    vitest.aroundEach(async (run, { task }) => {
      try {
        await lanes.run(testOf(task), run, () => outcomeOf(task));
      } catch (error) {
        // The error of the client says the same, at greater length.
        const { errors } = task.result ?? {};
        if (errors !== undefined) task.result.errors = errors.filter(({ message }) => !message.includes('Tapedeck: '));
        throw error;
      }
    });
  else {
    let end;
    vitest.beforeEach(async ({ task }) => {
      end = await lanes.enter(testOf(task));
    });
    vitest.afterEach(async ({ task }) => {
      await end?.(outcomeOf(task));
      end = undefined;
    });
  }
}
