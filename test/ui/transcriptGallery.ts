import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTapeFile } from '../../src/core/tapes/tapeFile';
import { corpusFolder } from '../corpus';
import { launchBrowser, THEMES, TranscriptFixture } from '../harness/pages/transcriptPages';

/**
 * Pictures of real tapes in every theme, to be looked at: `npx tsx test/ui/transcriptGallery.ts [NAME…]`. They go to
 * test/screenshots/actual, which git ignores; nothing of the corpus is kept.
 */
const GALLERY: Readonly<
  Record<string, { readonly tape: string; readonly keys?: readonly string[]; readonly focus?: number }>
> = {
  'openai-chat-parallel-tools': {
    tape: 'go-vcr-yaml/charmbracelet+fantasy/providertests__testdata__TestOpenAICommon__openai-gpt-4o__multi_tool_streaming.yaml',
  },
  'openai-responses-reasoning': {
    tape: 'azure-test-proxy-json/openai+openai-dotnet/tests__SessionRecords__ResponsesTests__ReasoningWithStoreDisabledAsync.json',
  },
  'openai-images': {
    tape: 'azure-test-proxy-json/openai+openai-dotnet/tests__SessionRecords__ResponsesToolTests__ImageGenToolWorks.json',
  },
  'openai-audio': {
    tape: 'azure-test-proxy-json/openai+openai-dotnet/tests__SessionRecords__ChatTests__ChatWithAudioAsync.json',
  },
  'openai-assistants-45': {
    tape: 'azure-test-proxy-json/openai+openai-dotnet/tests__SessionRecords__AssistantsTests__BasicRunStepFunctionalityWorks.json',
  },
  'anthropic-thinking-tools': {
    tape: 'httpmock-yaml/0xPlaygrounds+rig/tests__cassettes__anthropic__reasoning_tool_roundtrip__streaming.yaml',
  },
  'anthropic-gzip-errors': {
    tape: 'r-vcr-yaml/tidyverse+ellmer/tests__testthat___vcr__anthropic-upload-file.yml',
  },
  'bedrock-event-stream': {
    tape: 'httpmock-yaml/0xPlaygrounds+rig/tests__cassettes__bedrock__raw_streaming__raw_stream_surfaces_two_distinct_tool_calls.yaml',
  },
  'gemini-image': { tape: 'httprr/tmc+langchaingo/llms__googleai__testdata__TestGoogleAIMultiModalContent.httprr' },
  'gemini-upload-gzip': { tape: 'r-vcr-yaml/tidyverse+ellmer/tests__testthat___vcr__google-upload.yml' },
  'ollama-tools': {
    tape: 'httpmock-yaml/0xPlaygrounds+rig/tests__cassettes__ollama__reasoning_tool_roundtrip__streaming.yaml',
  },
  'cohere-citations': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__chat_citations_with_cohere_command-a-plus-05-2026_cites_tool_results_returned_as_search_results.yml',
  },
  'rate-limit': { tape: 'httprr/tmc+langchaingo/llms__openai__testdata__TestOpenRouterStreaming.httprr' },
  'http-traffic': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__video_basic_functionality_xai_grok-imagine-video_can_animate_videos.yml',
  },
  'runner-53': { tape: 'vcrpy-yaml/langchain-ai+langsmith-sdk/python__cassettes___runner.yaml' },
  'realtime-73': {
    tape: 'ws-frames-yaml/pydantic+pydantic-ai/tests__realtime__cassettes__test_google_ws__test_audio_in_server_vad_turn.yaml',
  },
  'openai-embeddings-gzip': {
    tape: 'httprr/tmc+langchaingo/vectorstores__redisvector__testdata__TestSimilaritySearch.httprr.gz',
  },
  'gemini-embeddings': { tape: 'httprr/tmc+langchaingo/llms__googleai__testdata__TestGoogleAICreateEmbedding.httprr' },
  'cohere-rerank-embeddings': {
    tape: 'vcrpy-yaml/traceloop+openllmetry/packages__opentelemetry-instrumentation-llamaindex__tests__cassettes__test_query_pipeline__test_query_pipeline.yaml',
  },
  'gemini-stream-tools': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__chat_function_calling_gemini_gemini-2_5-flash_can_use_tools_with_multi-turn_streaming_conversations.yml',
  },
  'vertex-document': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_multimodal_tool_returns__test_multimodal_tool_return_matrix[tool_return_content-url_force_download-document-google_vertex].yaml',
  },
  'bedrock-converse': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__chat_function_calling_bedrock_claude-sonnet-4-5_can_use_parallel_tool_calls.yml',
  },
  'bedrock-invoke': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_anthropic__test_anthropic_cache_bedrock_real_api.yaml',
  },
  'mistral-thinking': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_mistral__test_mistral_model_thinking_part_iter.yaml',
  },
  'azure-responses-reasoning': {
    tape: 'go-vcr-yaml/charmbracelet+fantasy/providertests__testdata__TestAzureResponsesWithSummaryThinking__azure-gpt-5-mini__thinking-streaming.yaml',
  },
  'azure-chat-tools': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__chat_function_calling_azure_grok-4-1-fast-non-reasoning_can_use_tools_without_parameters_in_multi-turn_streaming_conversations.yml',
  },
  'groq-tool-error': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_groq__test_tool_use_failed_error_streaming.yaml',
  },
  'deepseek-thinking': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_deepseek__test_deepseek_deferred_capability_with_thinking.yaml',
  },
  'openrouter-errors': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_openrouter__test_openrouter_errors_raised.yaml',
  },
  'anthropic-web-search': {
    tape: 'go-vcr-yaml/charmbracelet+fantasy/providertests__testdata__TestAnthropicWebSearch__stream.yaml',
  },
  'openai-images-in': {
    tape: 'vcrpy-yaml/traceloop+openllmetry/packages__opentelemetry-instrumentation-openai__tests__traces__cassettes__test_vision__test_vision_base64.yaml',
  },
  'openai-audio-in': {
    tape: 'vcrpy-parsed-body/pydantic+pydantic-ai/tests__models__cassettes__test_openai__test_openai_audio_url_input.yaml',
  },
  'transcription-stream': {
    tape: 'ruby-vcr-yaml/crmne+ruby_llm/spec__fixtures__vcr_cassettes__transcription_basic_functionality_openai_gpt-4o-transcribe-diarize_streams_segments_labelled_with_speakers.yml',
  },
  'crew-and-telemetry': {
    tape: 'vcrpy-yaml/crewAIInc+crewAI/lib__crewai__tests__cassettes__test_crew_kickoff_streaming_usage_metrics.yaml',
  },
  'xai-grpc': {
    tape: 'xai-proto-yaml/pydantic+pydantic-ai/tests__models__cassettes__test_xai__test_xai_web_search_user_location_recorded.xai.yaml',
  },
  'reyn-loop': {
    tape: 'reyn-jsonl/tya5+reyn/tests__fixtures__llm__skill_install__config_write_bus_approves.jsonl',
  },
  'mofa-agent': { tape: 'mofa-project/tests/fixtures/simple_agent_recorded.tape.json' },
  'inspect-log': { tape: 'inspect-eval/UKGovernmentBEIS+inspect_ai/tests__log__test_eval_log__log_images_tc.json' },
  'claude-code': { tape: 'claude-code-jsonl/daaain+claude-code-log/test__test_data__session_b.jsonl' },
};

async function main(names: readonly string[]): Promise<void> {
  const folder = corpusFolder();
  if (folder === undefined) throw new Error('There is no corpus here; set TAPEDECK_CORPUS to its folder.');
  const browser = await launchBrowser();
  for (const [name, { tape, keys = [], focus }] of Object.entries(GALLERY)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const theme of THEMES) {
      const file = decodeTapeFile(tape, readFileSync(join(folder, tape)));
      const fixture = await TranscriptFixture.open(browser, file, {
        theme,
        height: 1500,
        ...(focus === undefined ? {} : { focus }),
      });
      await fixture.page.locator('.message-body, .still').first().waitFor();
      for (const key of keys) await fixture.page.keyboard.press(key);
      await fixture.page.waitForTimeout(500);
      await fixture.shoot(`gallery-${name}-${theme}`);
      if (fixture.incidents.length > 0) console.log(name, theme, fixture.incidents);
      await fixture.close();
    }
    console.log(name);
  }
  await browser.close();
}

void main(process.argv.slice(2));
