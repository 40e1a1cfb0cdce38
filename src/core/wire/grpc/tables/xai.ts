import { FieldTable } from '../fieldTable';

/** The messages of xAI's `Chat`, from its public descriptor. */
export const xai =
  new FieldTable(`GetCompletionsRequest messages=1*Message model=2s frequency_penalty=3f logprobs=5b top_logprobs=6i max_tokens=7i n=8i presence_penalty=9f response_format=10ResponseFormat seed=11i stop=12*s temperature=14f top_p=15f user=16s tools=17*Tool tool_choice=18ToolChoice reasoning_effort=19@ReasoningEffort search_parameters=20SearchParameters parallel_tool_calls=21b previous_response_id=22s store_messages=23b use_encrypted_content=24b max_turns=25i include=26*@IncludeOption agent_count=29@AgentCount service_tier=31@ServiceTier safety_identifier=34s guidelines=39*Guideline
Message content=1*Content role=2@MessageRole name=3s tool_calls=4*ToolCall reasoning_content=5s encrypted_content=6s tool_call_id=7s
Content text=1s image_url=2ImageUrlContent file=3FileContent
ImageUrlContent image_url=1s detail=2@ImageDetail file_id=3s
FileContent file_id=1s data=2y filename=3s mime_type=4s url=5s
ToolCall id=1s type=2@ToolCallType status=3@ToolCallStatus error_message=4s function=10FunctionCall
FunctionCall name=1s arguments=2s
ResponseFormat format_type=1@FormatType schema=2s
Tool function=1Function web_search=3WebSearch x_search=4XSearch code_execution=5CodeExecution collections_search=6CollectionsSearch mcp=7MCP attachment_search=8AttachmentSearch image_generation=10ImageGeneration
Function name=1s description=2s strict=3b parameters=4s
WebSearch excluded_domains=1*s allowed_domains=2*s enable_image_understanding=3b user_location=4WebSearchUserLocation enable_image_search=5b
WebSearchUserLocation country=1s city=2s region=3s timezone=4s
XSearch from_date=1Timestamp to_date=2Timestamp allowed_x_handles=3*s excluded_x_handles=4*s enable_image_understanding=5b enable_video_understanding=6b
Timestamp seconds=1i nanos=2i
CodeExecution
CollectionsSearch collection_ids=1*s limit=2i instructions=3s hybrid_retrieval=4HybridRetrieval semantic_retrieval=5SemanticRetrieval keyword_retrieval=6KeywordRetrieval
HybridRetrieval search_multiplier=1i reranker_model=2RerankerModel reciprocal_rank_fusion=3ReciprocalRankFusion
RerankerModel model=1s instructions=2s
ReciprocalRankFusion k=1i embedding_weight=3f text_weight=4f
SemanticRetrieval reranker=1RerankerModel
KeywordRetrieval reranker=1RerankerModel
MCP server_label=1s server_description=2s server_url=3s allowed_tool_names=4*s authorization=5s extra_headers=6%s
AttachmentSearch limit=2i
ImageGeneration action=1s
ToolChoice mode=1@ToolMode function_name=2s
SearchParameters mode=1@SearchMode from_date=4Timestamp to_date=5Timestamp return_citations=7b max_search_results=8i sources=9*Source
Source web=1WebSource news=2NewsSource x=3XSource rss=4RssSource
WebSource excluded_websites=2*s country=3s safe_search=4b allowed_websites=5*s
NewsSource excluded_websites=2*s country=3s safe_search=4b
XSource included_x_handles=7*s excluded_x_handles=8*s post_favorite_count=9i post_view_count=10i
RssSource links=1*s
Guideline policy=1PolicyGuideline
PolicyGuideline category=1@GuidelineCategory behavior=2@GuidelineBehavior
GetChatCompletionResponse id=1s outputs=2*CompletionOutput created=5Timestamp model=6s system_fingerprint=7s usage=9SamplingUsage citations=10*s settings=11RequestSettings debug_output=12DebugOutput output_files=13*OutputFile service_tier=15@ServiceTier
CompletionOutput finish_reason=1@FinishReason index=2i message=3CompletionMessage logprobs=4LogProbs
CompletionMessage content=1s role=2@MessageRole tool_calls=3*ToolCall reasoning_content=4s encrypted_content=5s citations=6*InlineCitation
InlineCitation id=1s start_index=2i web_citation=3WebCitation x_citation=4XCitation collections_citation=5CollectionsCitation end_index=6i
WebCitation url=1s
XCitation url=1s
CollectionsCitation file_id=1s chunk_id=2s chunk_content=3s score=4f collection_ids=5*s
LogProbs content=1*LogProb
LogProb token=1s logprob=2f bytes=3y top_logprobs=4*TopLogProb
TopLogProb token=1s logprob=2f bytes=3y
SamplingUsage completion_tokens=1i prompt_tokens=2i total_tokens=3i prompt_text_tokens=4i prompt_image_tokens=5i reasoning_tokens=6i cached_prompt_text_tokens=7i num_sources_used=8i server_side_tools_used=9*@ServerSideTool cost_in_usd_ticks=11i
RequestSettings max_tokens=1i parallel_tool_calls=2b previous_response_id=3s reasoning_effort=4@ReasoningEffort temperature=5f response_format=6ResponseFormat tool_choice=7ToolChoice tools=8*Tool top_p=9f user=10s search_parameters=11SearchParameters store_messages=12b use_encrypted_content=13b include=14*@IncludeOption
DebugOutput attempts=1i request=2s prompt=3s responses=4*s cache_read_count=5i cache_read_input_bytes=6i cache_write_count=7i cache_write_input_bytes=8i engine_request=9s lb_address=10s sampler_tag=11s chunks=12*s
OutputFile file_id=1s name=2s
GetChatCompletionChunk id=1s outputs=2*CompletionOutputChunk created=3Timestamp model=4s system_fingerprint=5s usage=6SamplingUsage citations=7*s debug_output=10DebugOutput output_files=11*OutputFile service_tier=12@ServiceTier
CompletionOutputChunk delta=1Delta logprobs=2LogProbs finish_reason=3@FinishReason index=4i
Delta content=1s role=2@MessageRole tool_calls=3*ToolCall reasoning_content=4s encrypted_content=5s citations=6*InlineCitation
@ReasoningEffort INVALID_EFFORT EFFORT_LOW EFFORT_MEDIUM EFFORT_HIGH EFFORT_NONE EFFORT_XHIGH
@IncludeOption INCLUDE_OPTION_INVALID INCLUDE_OPTION_WEB_SEARCH_CALL_OUTPUT INCLUDE_OPTION_X_SEARCH_CALL_OUTPUT INCLUDE_OPTION_CODE_EXECUTION_CALL_OUTPUT INCLUDE_OPTION_COLLECTIONS_SEARCH_CALL_OUTPUT INCLUDE_OPTION_ATTACHMENT_SEARCH_CALL_OUTPUT INCLUDE_OPTION_MCP_CALL_OUTPUT INCLUDE_OPTION_INLINE_CITATIONS INCLUDE_OPTION_VERBOSE_STREAMING INCLUDE_OPTION_CODE_EXECUTION_FILES_OUTPUT
@AgentCount AGENT_COUNT_UNSPECIFIED AGENT_COUNT_4 AGENT_COUNT_16
@ServiceTier SERVICE_TIER_UNSPECIFIED SERVICE_TIER_DEFAULT SERVICE_TIER_PRIORITY
@MessageRole INVALID_ROLE ROLE_USER ROLE_ASSISTANT ROLE_SYSTEM ROLE_FUNCTION ROLE_TOOL ROLE_DEVELOPER
@ImageDetail DETAIL_INVALID DETAIL_AUTO DETAIL_LOW DETAIL_HIGH
@ToolCallType TOOL_CALL_TYPE_INVALID TOOL_CALL_TYPE_CLIENT_SIDE_TOOL TOOL_CALL_TYPE_WEB_SEARCH_TOOL TOOL_CALL_TYPE_X_SEARCH_TOOL TOOL_CALL_TYPE_CODE_EXECUTION_TOOL TOOL_CALL_TYPE_COLLECTIONS_SEARCH_TOOL TOOL_CALL_TYPE_MCP_TOOL TOOL_CALL_TYPE_ATTACHMENT_SEARCH_TOOL 10=TOOL_CALL_TYPE_IMAGE_GENERATION_TOOL
@ToolCallStatus TOOL_CALL_STATUS_IN_PROGRESS TOOL_CALL_STATUS_COMPLETED TOOL_CALL_STATUS_INCOMPLETE TOOL_CALL_STATUS_FAILED
@FormatType FORMAT_TYPE_INVALID FORMAT_TYPE_TEXT FORMAT_TYPE_JSON_OBJECT FORMAT_TYPE_JSON_SCHEMA
@ToolMode TOOL_MODE_INVALID TOOL_MODE_AUTO TOOL_MODE_NONE TOOL_MODE_REQUIRED
@SearchMode INVALID_SEARCH_MODE OFF_SEARCH_MODE ON_SEARCH_MODE AUTO_SEARCH_MODE
@GuidelineCategory GUIDELINE_CATEGORY_INVALID GUIDELINE_CATEGORY_NSFW GUIDELINE_CATEGORY_VIOLENCE 5=GUIDELINE_CATEGORY_PROFANITY
@GuidelineBehavior GUIDELINE_BEHAVIOR_INVALID GUIDELINE_BEHAVIOR_DECLINE
@FinishReason REASON_INVALID REASON_MAX_LEN REASON_MAX_CONTEXT REASON_STOP REASON_TOOL_CALLS REASON_TIME_LIMIT
@ServerSideTool SERVER_SIDE_TOOL_INVALID SERVER_SIDE_TOOL_WEB_SEARCH SERVER_SIDE_TOOL_X_SEARCH SERVER_SIDE_TOOL_CODE_EXECUTION SERVER_SIDE_TOOL_VIEW_IMAGE SERVER_SIDE_TOOL_VIEW_X_VIDEO SERVER_SIDE_TOOL_COLLECTIONS_SEARCH SERVER_SIDE_TOOL_MCP SERVER_SIDE_TOOL_ATTACHMENT_SEARCH 10=SERVER_SIDE_TOOL_IMAGE_SEARCH SERVER_SIDE_TOOL_IMAGE_GENERATION`);
