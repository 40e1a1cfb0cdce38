import assert from 'node:assert/strict';
import manifest from '../../package.json';
import messages from '../../package.nls.json';
import { AGENT_TOOL_NAMES } from '../../src/contracts/agentToolNames';
import { AGENT_TOOLS, inputSchemaOf } from '../../src/contracts/agentTools';

describe('the tools of coding agents', () => {
  it('are those that package.json offers to the language models of the editor', () => {
    const texts: Readonly<Record<string, string>> = messages;
    const offered = manifest.contributes.languageModelTools.map(
      ({ name, displayName, modelDescription, inputSchema }) => ({
        name,
        title: texts[displayName.replaceAll('%', '')],
        description: modelDescription,
        inputSchema,
      }),
    );
    const served = AGENT_TOOLS.map((tool) => ({
      name: `tapedeck_${tool.name}`,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
    }));
    assert.deepEqual(offered, served);
    assert.deepEqual(
      AGENT_TOOLS.map(({ name }) => name),
      AGENT_TOOL_NAMES,
    );
  });
});
