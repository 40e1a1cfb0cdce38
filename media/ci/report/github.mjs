// Tells a pull request what it changes in recordings: in one comment, and by a status of its last commit, which a label turns green.
import { appendFileSync, readFileSync } from 'node:fs';
import { changed, commentText, judge, MARKER, pending, sum } from './changes.mjs';

const { TOKEN = '', COMMENT, LABEL = '', PAGE = '' } = process.env;
const { GITHUB_API_URL = '', GITHUB_REPOSITORY = '', GITHUB_EVENT_PATH = '', GITHUB_OUTPUT = '' } = process.env;
const STATUS = 'Recordings';
/** In characters, as GitHub takes them. */
const LONGEST_STATUS = 140;

const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
/** The label was set just now, when the commit that was checked was the last one. */
const isReviewed = event.action === 'labeled' && event.label?.name === LABEL;
const hint = `read them, then set the label ${LABEL}`;

appendFileSync(GITHUB_OUTPUT, `pending=${pending.length}\nfiles=${changed.length}\n`);
if (event.pull_request !== undefined) await tell(event.pull_request);
judge(isReviewed, `${hint}: ${PAGE}`);

async function tell({ number, labels, head }) {
  // Of an earlier commit: nobody has seen what this one changes.
  if (pending.length > 0 && !isReviewed && labels.some(({ name }) => name === LABEL))
    await ask('DELETE', `issues/${number}/labels/${encodeURIComponent(LABEL)}`);
  if (COMMENT === 'true') await comment(number);
  const isDone = pending.length === 0 || isReviewed;
  await ask('POST', `statuses/${head.sha}`, {
    context: STATUS,
    state: isDone ? 'success' : 'pending',
    description: (isDone ? sum().replace(' to review', ', reviewed') : `${sum()}: ${hint}`).slice(0, LONGEST_STATUS),
    ...(PAGE && { target_url: PAGE }),
  });
}

async function comment(number) {
  const page = PAGE ? [`[All texts, as a page](${PAGE})`] : [];
  const label = pending.length > 0 ? [`The label \`${LABEL}\` says that you have read them. A push removes it.`] : [];
  const body = commentText([...page, ...label]);
  const earlier = await ownComment(number);
  if (earlier !== undefined) await ask('PATCH', `issues/comments/${earlier.id}`, { body });
  else if (changed.length > 0) await ask('POST', `issues/${number}/comments`, { body });
}

/** Anybody can write the marker; only a comment by whom the token belongs to is edited. */
async function ownComment(number) {
  const user = await ask('GET', '/user');
  const isOwn = ({ user: author }) => (user === undefined ? author?.type === 'Bot' : author?.login === user.login);
  for (let page = 1; ; page += 1) {
    const comments = (await ask('GET', `issues/${number}/comments?per_page=100&page=${page}`)) ?? [];
    const own = comments.find((one) => one.body.startsWith(MARKER) && isOwn(one));
    if (own !== undefined || comments.length < 100) return own;
  }
}

/** Resolves with undefined where the token may not, as in a pull request of a fork: then there is the summary. */
async function ask(method, path, body) {
  const place = path.startsWith('/') ? path : `/repos/${GITHUB_REPOSITORY}/${path}`;
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/vnd.github+json' };
  const response = await fetch(`${GITHUB_API_URL}${place}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.status === 204 ? {} : response.json();
  // The token of a workflow belongs to nobody.
  if (path !== '/user')
    console.log(`::notice::Tapedeck: ${method} ${path.split('?')[0]} was refused (${response.status})`);
  return undefined;
}
