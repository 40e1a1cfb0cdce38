// Logs of sessions of any length, in which each turn follows from the one before.

const WORDS = 'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north'.split(' ');

/** A log of Claude Code: a third of its turns begin with a prompt, the others with the result of a tool. @param {number} turns */
export function claudeLog(turns) {
  /** @type {object[]} */
  const lines = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const [prompt, response] = [`u${turn}`, `a${turn}`];
    const rest = {
      isSidechain: false,
      userType: 'external',
      cwd: '/w',
      sessionId: '11111111-1111-4111-8111-111111111111',
      version: '2.0.0',
      timestamp: new Date(1767225600000 + turn * 1000).toISOString(),
    };
    const isPrompt = turn % 3 === 0;
    const result = { type: 'tool_result', tool_use_id: `toolu_${turn - 1}`, content: words(turn, 20) };
    const call = { type: 'tool_use', id: `toolu_${turn}`, name: 'Read', input: { file: words(turn, 2) } };
    lines.push({
      parentUuid: turn === 0 ? null : `a${turn - 1}`,
      ...rest,
      type: 'user',
      message: { role: 'user', content: isPrompt ? words(turn, 12) : [result] },
      uuid: prompt,
    });
    lines.push({
      parentUuid: prompt,
      ...rest,
      type: 'assistant',
      message: {
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: words(turn, 10) }, ...(turn % 3 === 2 ? [] : [call])],
        stop_reason: 'end_turn',
        usage: { input_tokens: 5, output_tokens: 7 },
      },
      uuid: response,
    });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** @param {number} turn @param {number} count */
function words(turn, count) {
  return Array.from(
    { length: count },
    (_, at) => `${WORDS[(turn * 5 + at * 3) % WORDS.length]}${(turn * 31 + at) % 997}`,
  ).join(' ');
}
