// Tells a merge request what it changes in recordings, in one comment, and may fail until a label says that they were reviewed.
import { changed, commentText, judge, MARKER, pending } from './changes.mjs';

const { LABEL = '', TAPEDECK_TOKEN = '' } = process.env;
const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, CI_COMMIT_SHA, CI_JOB_URL } = process.env;
const REQUEST = `/projects/${CI_PROJECT_ID}/merge_requests/${CI_MERGE_REQUEST_IID}`;
const PAGE = `${CI_JOB_URL}/artifacts/file/tapedeck-review/review.html`;
const hint = `read them, set the label ${LABEL}, and retry this job`;

if (TAPEDECK_TOKEN === '') console.log('Tapedeck: no comment is written: there is no variable TAPEDECK_TOKEN');
else await comment();
judge(await isReviewed(), `${hint}: ${PAGE}`);

async function comment() {
  const label = pending.length > 0 ? [`To say that they were reviewed, ${hint}. A push takes that back.`] : [];
  const body = commentText([`[All texts, as a page](${PAGE})`, ...label]);
  const { id } = (await ask('GET', '/user')) ?? {};
  const own = (await all('notes')).find((note) => note.body.startsWith(MARKER) && note.author.id === id);
  if (own !== undefined) await ask('PUT', `${REQUEST}/notes/${own.id}`, { body });
  else if (changed.length > 0) await ask('POST', `${REQUEST}/notes`, { body });
}

/** Whether the label was set after the last push, and this job is of what was pushed. */
async function isReviewed() {
  if (TAPEDECK_TOKEN === '' || pending.length === 0) return false;
  const [version] = (await ask('GET', `${REQUEST}/versions`)) ?? [];
  const last = (await all('resource_label_events')).filter(({ label }) => label?.name === LABEL).at(-1);
  const isOfThis = version?.head_commit_sha === CI_COMMIT_SHA;
  return isOfThis && last?.action === 'add' && Date.parse(last.created_at) > Date.parse(version.created_at);
}

async function all(what) {
  const found = [];
  for (let page = 1; ; page += 1) {
    const part = (await ask('GET', `${REQUEST}/${what}?per_page=100&page=${page}`)) ?? [];
    found.push(...part);
    if (part.length < 100) return found;
  }
}

async function ask(method, path, body) {
  const headers = { 'private-token': TAPEDECK_TOKEN, 'content-type': 'application/json' };
  const response = await fetch(`${CI_API_V4_URL}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  console.log(`Tapedeck: ${method} ${path.split('?')[0]} was refused (${response.status})`);
  return undefined;
}
