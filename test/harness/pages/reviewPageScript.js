// Runs in the page before anything else: VS Code's part, and listeners for what the tests check.
// Plain JavaScript, because tsx compiles TypeScript to code with helpers that the page does not have.
{
  let state = window.storedState;
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.sendToHost(message),
    getState: () => state,
    setState(next) {
      state = next;
      window.storedState = next;
    },
  });

  const receive = async () => {
    for (;;) window.postMessage(await window.nextFromHost(), '*');
  };
  void receive();

  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.reportCspViolation(`${violatedDirective} ${blockedURI} ${sample}`),
  );

  window.askedOfWorker = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.method !== undefined) window.askedOfWorker.push(message.method);
    return post.call(this, message, ...rest);
  };
}
