import { webviewFrame } from '../../host/workbench.mjs';

/** The innermost frame of the webview in front, whose own tasks are counted. */
export async function webviewContent(page) {
  const handle = await webviewFrame(page).locator('body').elementHandle();
  return handle.ownerFrame();
}

/**
 * The longest task that ran in the frame while something was done, and the longest of the rest of the window, in
 * milliseconds; 0 where none took more than 50.
 * @returns {Promise<{ own: number, others: number }>}
 */
export async function longestTasks(frame, action) {
  await frame.evaluate(() => {
    window.benchTasks?.observer.disconnect();
    const seen = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration, name } of list.getEntries()) seen.push({ duration, isOwn: name === 'self' });
    });
    observer.observe({ type: 'longtask' });
    window.benchTasks = { seen, observer };
  });
  await action();
  const tasks = await frame.evaluate(() => window.benchTasks.seen);
  const longest = (list) => Math.max(0, ...list.map(({ duration }) => duration));
  return { own: longest(tasks.filter(({ isOwn }) => isOwn)), others: longest(tasks.filter(({ isOwn }) => !isOwn)) };
}

/** Several measurements of the same, as a line. */
export function toldTasks(measured) {
  const told = (values) => values.map((ms) => (ms === 0 ? 'none' : `${ms.toFixed(0)} ms`)).join(', ');
  const own = told(measured.map((one) => one.own));
  const others = told(measured.map((one) => one.others));
  return `longest task of the page over 50 ms: ${own} (bar 100 ms); of the rest of the window: ${others}`;
}
