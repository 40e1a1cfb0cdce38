import { webviewFrame } from '../../harness/vscode/workbench.mjs';

/** The innermost frame of the webview in front, whose own tasks are told from those of the window around it. */
export async function webviewContent(page) {
  const handle = await webviewFrame(page).locator('body').elementHandle();
  return handle.ownerFrame();
}

/**
 * The longest tasks while something was done, in milliseconds: of the page, 0 where none took more than 50, and of the
 * page and the window around it together by the time of the processor, which others on the machine cannot prolong.
 * @returns {Promise<{ own: number, processor: number }>}
 */
export async function longestTasks(frame, action) {
  await frame.evaluate(() => {
    window.benchTasks?.observer.disconnect();
    const seen = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration, name } of list.getEntries()) if (name === 'self') seen.push(duration);
    });
    observer.observe({ type: 'longtask' });
    window.benchTasks = { seen, observer };
  });
  const processor = await longestByProcessor(frame.page(), action);
  const seen = await frame.evaluate(() => window.benchTasks.seen);
  return { own: Math.max(0, ...seen), processor };
}

/** By what the browser itself writes down of every task of the threads that pages run on. */
async function longestByProcessor(page, action) {
  const session = await page.context().browser().newBrowserCDPSession();
  let longest = 0;
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, pid, tid, tdur = 0 } of value)
      if (name === 'ThreadControllerImpl::RunTask' && pid === tid && pages.has(pid)) longest = Math.max(longest, tdur);
  });
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = new Set(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  await action();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return longest / 1000;
}

/** Several measurements of the same, as a line. */
export function toldTasks(measured) {
  const own = measured.map((one) => (one.own === 0 ? 'none' : one.own.toFixed(0))).join(', ');
  const processor = measured.map((one) => one.processor.toFixed(0)).join(', ');
  return `longest task over 50 ms: ${own}; of the whole window by processor time: ${processor} (bar 100 ms)`;
}
