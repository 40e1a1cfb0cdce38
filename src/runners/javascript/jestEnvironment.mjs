// The environment that the tests of a file run in, with a lane for every test.
import { createRequire } from 'node:module';
import { serverOf } from './jestServer.mjs';
import { Lanes, withoutRepeats } from './lane.mjs';

/** Around the environment that is configured: the object that it makes takes the place of this one's. */
// biome-ignore lint/style/noDefaultExport: Jest takes no other
export default function Environment(config, context) {
  const { environment } = config.projectConfig.testEnvironmentOptions.tapedeck;
  const required = createRequire(import.meta.url)(environment);
  const Base = taped(required.default ?? required.TestEnvironment ?? required);
  return new Base(config, context);
}

function taped(Base) {
  return class Taped extends Base {
    #config;
    #file;
    #lanes;
    /** Ends the lane of the test that runs. */
    #end;

    constructor(config, context) {
      super(config, context);
      this.#config = config;
      this.#file = context.testPath;
    }

    async setup() {
      await super.setup();
      const server = await serverOf({ ...this.#config.globalConfig, rootDir: this.#config.projectConfig.rootDir });
      if (server === null) return;
      const rerecord = (id) => `jest -u -t ${JSON.stringify(id)}`;
      // The code of the tests has a copy of the environment, and programs that it starts have ours.
      const environments = [process.env, this.global.process?.env].filter(Boolean);
      this.#lanes = new Lanes({ ...server, rerecord, environments });
      // It was copied before the clients were led.
      if (this.global.fetch) this.global.fetch = globalThis.fetch;
    }

    async handleTestEvent(event, state) {
      // Before anything is awaited: a test that is added is the last one only now.
      if (event.name === 'add_test' && event.concurrent) this.#wrap(state.currentDescribeBlock.children.at(-1));
      await super.handleTestEvent?.(event, state);
      if (this.#lanes === undefined || event.test?.concurrent) return;
      if (event.name === 'test_started') this.#end = (await this.#lanes.enter(this.#testOf(event.test))).end;
      if (event.name === 'test_done') await this.#ended(event.test);
    }

    /** Tests that run at the same time are started together, with no event between. */
    #wrap(test) {
      const { fn } = test;
      if (fn && this.#lanes) test.fn = () => this.#lanes.run(this.#testOf(test), () => fn.call(undefined));
    }

    async #ended(test) {
      const end = this.#end;
      this.#end = undefined;
      const isPassed = test.errors.length === 0;
      try {
        await end?.(isPassed ? 'passed' : 'failed');
      } catch (error) {
        test.errors = [error, ...withoutRepeats(test.errors, (one) => (Array.isArray(one) ? one[0] : one))];
      }
    }

    #testOf(test) {
      const names = [];
      for (let one = test; one?.parent; one = one.parent) names.unshift(one.name);
      return { file: this.#file, name: names.join(' > '), id: names.join(' ') };
    }
  };
}
