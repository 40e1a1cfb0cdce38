// Tapes to review: conversations, each request with all that was said before.
export const INTERACTIONS = 1000;

export function interaction(roles, texts, response) {
  const messages = texts.map((content, index) => ({ role: roles[index % roles.length], content }));
  return { request: { messages, model: 'gpt-4o' }, response };
}

/** Conversations of ten turns: 1,000 interactions, 20 MB. */
export function tapeText({
  system = 'You are a helpful assistant.',
  salt = '',
  edited = 0,
  edit = ' and more',
  inserted = 0,
  moved = false,
  indent = 0,
}) {
  const answerOf = (index) => `${salt} Answer ${index}: ${`word${(index * 31) % 997} `.repeat(220)}`;
  const all = Array.from({ length: INTERACTIONS }, (_, index) => {
    const first = index - (index % 10);
    const said = [system];
    for (let turn = first; turn <= index; turn += 1) {
      said.push(`${salt} Question ${turn}: ${`term${(turn * 17) % 991} `.repeat(220)}`);
      if (turn < index) said.push(answerOf(turn));
    }
    const messages = said.map((content, place) => ({
      role: place === 0 ? 'system' : place % 2 === 1 ? 'user' : 'assistant',
      content,
    }));
    return { request: { messages, model: 'gpt-4o' }, response: answerOf(index) };
  });
  for (let count = 0; count < edited; count += 1) all[count * 100 + 9].response += edit;
  for (let count = 0; count < inserted; count += 1)
    all.splice(count * 190 + 5, 0, interaction(['user'], [`New question ${count}`], `New answer ${count}`));
  if (moved) all.push(...all.splice(333, 1));
  return JSON.stringify({ version: 1, case_name: 'n', interactions: all }, null, indent);
}
