"""Agents as users of their frameworks write them, with no address of Tapedeck: python support.py NAME PROMPT"""
import asyncio
import json
import logging
import os
import sys

logging.basicConfig(level=logging.INFO)
NAME, PROMPT = sys.argv[1:3]
SYSTEM = 'You are a support agent. Use the tools.'
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'mcp_server.py')
GPT, CLAUDE, GEMINI = 'gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-flash'
ORDER = {'type': 'object', 'properties': {'order_id': {'type': 'integer'}}, 'required': ['order_id']}
CITY = {'type': 'object', 'properties': {'city': {'type': 'string'}}, 'required': ['city']}


def say(*what):
    print(*what, flush=True)


def get_order(order_id: int) -> str:
    """Look up an order.

    Args:
        order_id: the number of the order
    """
    return f'order {order_id}: shipped to Paris'


def get_weather(city: str) -> str:
    """Get the weather of a city.

    Args:
        city: the name of the city
    """
    return f'{city}: 21 degrees'


def call(name, arguments):
    return {'get_order': get_order, 'get_weather': get_weather}[name](**arguments)


# openai
def openai_tools():
    return [
        {'type': 'function', 'function': {'name': 'get_order', 'description': 'order', 'parameters': ORDER}},
        {'type': 'function', 'function': {'name': 'get_weather', 'description': 'weather', 'parameters': CITY}},
    ]


def openai_chat():
    from openai import OpenAI

    client, said = OpenAI(), [{'role': 'user', 'content': PROMPT}]
    while True:
        message = client.chat.completions.create(model=GPT, messages=said, tools=openai_tools()).choices[0].message
        said.append(message)
        if not message.tool_calls:
            return say(message.content)
        for one in message.tool_calls:
            result = call(one.function.name, json.loads(one.function.arguments))
            said.append({'role': 'tool', 'tool_call_id': one.id, 'content': result})


def openai_chat_stream():
    from openai import OpenAI

    with OpenAI().chat.completions.stream(model=GPT, messages=[{'role': 'user', 'content': PROMPT}]) as stream:
        say([event.type for event in stream], stream.get_final_completion().choices[0].message.content)


def openai_responses_stream():
    from openai import OpenAI

    client = OpenAI()
    with client.responses.stream(model=GPT, input=PROMPT) as stream:
        for event in stream:
            if event.type == 'response.output_text.delta':
                say(event.delta)
        first = stream.get_final_response()
    second = client.responses.create(model=GPT, previous_response_id=first.id, input=f'{PROMPT} Again.')
    say(second.output_text)


def openai_parse_async():
    from openai import AsyncOpenAI
    from pydantic import BaseModel

    class Answer(BaseModel):
        city: str
        degrees: int

    async def main():
        client = AsyncOpenAI()
        asked = [
            client.chat.completions.parse(
                model=GPT, messages=[{'role': 'user', 'content': f'{PROMPT} ({at})'}], response_format=Answer
            )
            for at in range(5)
        ]
        say([one.choices[0].message.parsed for one in await asyncio.gather(*asked)])

    asyncio.run(main())


# openai-agents
def openai_agents_of(**more):
    from agents import Agent, function_tool

    tools = [function_tool(get_order), function_tool(get_weather)]
    return Agent(**{'name': 'support', 'instructions': SYSTEM, 'tools': tools, 'model': 'gpt-4.1-mini', **more})


def openai_agents():
    from agents import Runner

    say(Runner.run_sync(openai_agents_of(), PROMPT).final_output)


def openai_agents_stream():
    from agents import Runner

    async def main():
        result = Runner.run_streamed(openai_agents_of(), PROMPT)
        say([event.type async for event in result.stream_events()], result.final_output)

    asyncio.run(main())


def openai_agents_gather():
    from agents import Runner

    async def main():
        runs = [Runner.run(openai_agents_of(), f'{PROMPT} ({at})') for at in range(5)]
        say([one.final_output for one in await asyncio.gather(*runs)])

    asyncio.run(main())


def openai_agents_handoff():
    from agents import Agent, Runner

    triage = Agent(name='triage', instructions='Hand off.', handoffs=[openai_agents_of()], model='gpt-4.1-mini')
    say(Runner.run_sync(triage, PROMPT).final_output)


def openai_agents_session():
    from agents import Runner, SQLiteSession

    session = SQLiteSession('one')
    say(Runner.run_sync(openai_agents_of(), PROMPT, session=session).final_output)
    say(Runner.run_sync(openai_agents_of(), f'{PROMPT} Again.', session=session).final_output)


def openai_agents_mcp():
    from agents import Agent, Runner
    from agents.mcp import MCPServerStdio

    async def main():
        async with MCPServerStdio(params={'command': sys.executable, 'args': [SERVER]}) as server:
            agent = Agent(name='support', instructions=SYSTEM, mcp_servers=[server], model='gpt-4.1-mini')
            say((await Runner.run(agent, PROMPT)).final_output)

    asyncio.run(main())


# anthropic
def anthropic_tools():
    return [
        {'name': 'get_order', 'description': 'order', 'input_schema': ORDER},
        {'name': 'get_weather', 'description': 'weather', 'input_schema': CITY},
    ]


def anthropic_messages():
    from anthropic import Anthropic

    client, said = Anthropic(), [{'role': 'user', 'content': PROMPT}]
    while True:
        message = client.messages.create(
            model=CLAUDE, max_tokens=500, system=SYSTEM, messages=said, tools=anthropic_tools()
        )
        said.append({'role': 'assistant', 'content': message.content})
        uses = [block for block in message.content if block.type == 'tool_use']
        if not uses:
            return say(message.content[0].text)
        results = [{'type': 'tool_result', 'tool_use_id': u.id, 'content': call(u.name, u.input)} for u in uses]
        said.append({'role': 'user', 'content': results})


def anthropic_stream():
    from anthropic import Anthropic

    said = [{'role': 'user', 'content': PROMPT}]
    with Anthropic().messages.stream(model=CLAUDE, max_tokens=500, messages=said) as stream:
        say(list(stream.text_stream))


def anthropic_tool_runner():
    from anthropic import Anthropic, beta_tool

    runner = Anthropic().beta.messages.tool_runner(
        model=CLAUDE,
        max_tokens=500,
        messages=[{'role': 'user', 'content': PROMPT}],
        tools=[beta_tool(get_order), beta_tool(get_weather)],
    )
    say(runner.until_done().content[0].text)


def claude_agent_sdk():
    from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool

    @tool('get_order', 'Look up an order', {'order_id': int})
    async def order(given):
        return {'content': [{'type': 'text', 'text': get_order(given['order_id'])}]}

    @tool('get_weather', 'Weather', {'city': str})
    async def weather(given):
        return {'content': [{'type': 'text', 'text': get_weather(given['city'])}]}

    async def main():
        options = ClaudeAgentOptions(
            system_prompt=SYSTEM,
            mcp_servers={'shop': create_sdk_mcp_server('shop', tools=[order, weather])},
            allowed_tools=['mcp__shop__get_order', 'mcp__shop__get_weather'],
            tools=[],
            max_turns=6,
            model=CLAUDE,
            setting_sources=[],
        )
        async for message in query(prompt=PROMPT, options=options):
            if type(message).__name__ == 'ResultMessage':
                say(message.result)
                if message.is_error:
                    sys.exit(1)

    asyncio.run(main())


# google-genai
def google_genai():
    from google import genai
    from google.genai import types

    config = types.GenerateContentConfig(system_instruction=SYSTEM, tools=[get_order, get_weather])
    client = genai.Client()
    say(client.models.generate_content(model=GEMINI, contents=PROMPT, config=config).text)


def google_genai_stream():
    from google import genai

    client = genai.Client()
    say([one.text for one in client.models.generate_content_stream(model=GEMINI, contents=PROMPT)])


def google_genai_chat():
    from google import genai

    async def main():
        chat = genai.Client().aio.chats.create(model=GEMINI)
        say((await chat.send_message(PROMPT)).text)
        say((await chat.send_message(f'{PROMPT} Again.')).text)

    asyncio.run(main())


# langchain, langgraph
def langchain_of(model):
    from langchain.agents import create_agent
    from langchain.tools import tool

    return create_agent(model, tools=[tool(get_order), tool(get_weather)], system_prompt=SYSTEM)


def langchain(model=f'openai:{GPT}'):
    say(langchain_of(model).invoke({'messages': [{'role': 'user', 'content': PROMPT}]})['messages'][-1].text)


def langchain_anthropic():
    langchain(f'anthropic:{CLAUDE}')


def langchain_google():
    langchain(f'google_genai:{GEMINI}')


def langchain_stream():
    asked = {'messages': [{'role': 'user', 'content': PROMPT}]}
    say([message.text for message, _ in langchain_of(f'openai:{GPT}').stream(asked, stream_mode='messages')])


def langchain_batch():
    async def main():
        asked = [{'messages': [{'role': 'user', 'content': f'{PROMPT} ({at})'}]} for at in range(5)]
        say([one['messages'][-1].text for one in await langchain_of(f'openai:{GPT}').abatch(asked)])

    asyncio.run(main())


def langchain_mcp():
    from langchain.agents import create_agent
    from langchain_mcp_adapters.client import MultiServerMCPClient

    async def main():
        shop = {'transport': 'stdio', 'command': sys.executable, 'args': [SERVER]}
        tools = await MultiServerMCPClient({'shop': shop}).get_tools()
        agent = create_agent(f'openai:{GPT}', tools=tools, system_prompt=SYSTEM)
        result = await agent.ainvoke({'messages': [{'role': 'user', 'content': PROMPT}]})
        say(result['messages'][-1].text)

    asyncio.run(main())


def langgraph():
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition

    model = ChatOpenAI(model=GPT).bind_tools([get_order, get_weather])
    graph = StateGraph(MessagesState)
    graph.add_node('model', lambda state: {'messages': [model.invoke(state['messages'])]})
    graph.add_node('tools', ToolNode([get_order, get_weather]))
    graph.add_edge(START, 'model')
    graph.add_conditional_edges('model', tools_condition, {'tools': 'tools', END: END})
    graph.add_edge('tools', 'model')
    built = graph.compile(checkpointer=InMemorySaver())
    for asked in (PROMPT, f'{PROMPT} Again.'):
        result = built.invoke({'messages': [('user', asked)]}, {'configurable': {'thread_id': 'one'}})
        say(result['messages'][-1].text)


# pydantic-ai
def pydantic_ai(model=f'openai:{GPT}'):
    from pydantic_ai import Agent

    say(Agent(model, instructions=SYSTEM, tools=[get_order, get_weather]).run_sync(PROMPT).output)


def pydantic_ai_anthropic():
    pydantic_ai(f'anthropic:{CLAUDE}')


def pydantic_ai_google():
    pydantic_ai(f'google:{GEMINI}')


def pydantic_ai_stream():
    from pydantic_ai import Agent

    async def main():
        agent = Agent(f'anthropic:{CLAUDE}', instructions=SYSTEM, tools=[get_order, get_weather])
        async with agent.run_stream(PROMPT) as result:
            say([piece async for piece in result.stream_text(delta=True)])

    asyncio.run(main())


def pydantic_ai_output():
    from pydantic import BaseModel
    from pydantic_ai import Agent

    class Answer(BaseModel):
        city: str
        degrees: int

    say(Agent(f'openai:{GPT}', output_type=Answer, tools=[get_order]).run_sync(PROMPT).output)


def pydantic_ai_mcp():
    from pydantic_ai import Agent
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    async def main():
        agent = Agent(f'openai:{GPT}', instructions=SYSTEM, toolsets=[MCPToolset(StdioTransport(sys.executable, [SERVER]))])
        async with agent:
            say((await agent.run(PROMPT)).output)

    asyncio.run(main())


# crewai
def crewai(model=GPT):
    from crewai import Agent, Crew, Task
    from crewai.tools import tool

    tools = [tool('get_order')(get_order), tool('get_weather')(get_weather)]
    agent = Agent(role='support', goal='answer', backstory=SYSTEM, tools=tools, llm=model)
    task = Task(description=PROMPT, expected_output='one line', agent=agent)
    say(Crew(agents=[agent], tasks=[task]).kickoff().raw)


def crewai_anthropic():
    crewai(f'anthropic/{CLAUDE}')


# agno, with its telemetry
def agno(model=None):
    from agno.agent import Agent
    from agno.models.openai import OpenAIChat

    agent = Agent(model=model or OpenAIChat(id=GPT), tools=[get_order, get_weather], instructions=SYSTEM)
    result = agent.run(PROMPT)
    say(result.content)
    sys.exit(0 if result.status == 'COMPLETED' else 1)


def agno_responses():
    from agno.models.openai import OpenAIResponses

    agno(OpenAIResponses(id=GPT))


def agno_anthropic():
    from agno.models.anthropic import Claude

    agno(Claude(id=CLAUDE))


def agno_google():
    from agno.models.google import Gemini

    agno(Gemini(id=GEMINI))


# autogen
def autogen(model=None):
    from autogen_agentchat.agents import AssistantAgent
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    async def main():
        client = model or OpenAIChatCompletionClient(model=GPT)
        agent = AssistantAgent(
            'support', client, tools=[get_order, get_weather], system_message=SYSTEM, max_tool_iterations=5
        )
        say((await agent.run(task=PROMPT)).messages[-1].content)

    asyncio.run(main())


def autogen_anthropic():
    from autogen_ext.models.anthropic import AnthropicChatCompletionClient

    autogen(AnthropicChatCompletionClient(model='claude-sonnet-4-20250514'))


def autogen_team():
    from autogen_agentchat.agents import AssistantAgent
    from autogen_agentchat.conditions import MaxMessageTermination
    from autogen_agentchat.teams import RoundRobinGroupChat
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    async def main():
        client = OpenAIChatCompletionClient(model=GPT)
        members = [AssistantAgent(name, client, system_message=f'You are {name}.') for name in ('writer', 'critic')]
        team = RoundRobinGroupChat(members, termination_condition=MaxMessageTermination(4))
        async for one in team.run_stream(task=PROMPT):
            say(type(one).__name__, getattr(one, 'content', ''))

    asyncio.run(main())


def ag2():
    from ag2 import Agent
    from ag2.config import OpenAIConfig

    async def main():
        agent = Agent('support', prompt=SYSTEM, config=OpenAIConfig(GPT), tools=[get_order, get_weather])
        say(await (await agent.ask(PROMPT)).content())

    asyncio.run(main())


# smolagents
def smolagents():
    from smolagents import OpenAIModel, ToolCallingAgent, tool

    tools = [tool(get_order), tool(get_weather)]
    say(ToolCallingAgent(tools=tools, model=OpenAIModel(GPT), verbosity_level=0).run(PROMPT))


def smolagents_code():
    from smolagents import CodeAgent, LiteLLMModel, tool

    agent = CodeAgent(tools=[tool(get_order)], model=LiteLLMModel(f'openai/{GPT}'), verbosity_level=0)
    say(agent.run(PROMPT))


# llama-index
def llama_index_with(llm):
    from llama_index.core.agent.workflow import FunctionAgent

    async def main():
        agent = FunctionAgent(tools=[get_order, get_weather], llm=llm, system_prompt=SYSTEM)
        say(str(await agent.run(PROMPT)))

    asyncio.run(main())


def llama_index():
    from llama_index.llms.openai import OpenAI

    llama_index_with(OpenAI(model=GPT))


def llama_index_anthropic():
    from llama_index.llms.anthropic import Anthropic

    llama_index_with(Anthropic(model=CLAUDE))


def llama_index_google():
    from llama_index.llms.google_genai import GoogleGenAI

    llama_index_with(GoogleGenAI(model=GEMINI))


def haystack():
    from haystack.components.agents import Agent
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.dataclasses import ChatMessage
    from haystack.tools import create_tool_from_function

    tools = [create_tool_from_function(get_order), create_tool_from_function(get_weather)]
    agent = Agent(chat_generator=OpenAIChatGenerator(model=GPT), tools=tools, system_prompt=SYSTEM)
    say(agent.run(messages=[ChatMessage.from_user(PROMPT)])['messages'][-1].text)


def dspy():
    import dspy

    dspy.configure(lm=dspy.LM(f'openai/{GPT}', cache=False))
    say(dspy.ReAct('question -> answer', tools=[get_order, get_weather], max_iters=5)(question=PROMPT).answer)


def litellm():
    import litellm

    for model in (GPT, f'anthropic/{CLAUDE}', f'gemini/{GEMINI}'):
        said = [{'role': 'user', 'content': PROMPT}]
        while True:
            message = litellm.completion(model=model, messages=said, tools=openai_tools()).choices[0].message
            said.append(message.model_dump())
            if not message.tool_calls:
                break
            for one in message.tool_calls:
                result = call(one.function.name, json.loads(one.function.arguments))
                said.append({'role': 'tool', 'tool_call_id': one.id, 'content': result})
        say(model, message.content)


def litellm_stream():
    import litellm

    async def main():
        said = [{'role': 'user', 'content': PROMPT}]
        stream = await litellm.acompletion(model=f'anthropic/{CLAUDE}', messages=said, stream=True)
        say([one.choices[0].delta.content async for one in stream])

    asyncio.run(main())


# instructor
def instructor(model=f'openai/{GPT}'):
    import instructor
    from pydantic import BaseModel

    class Answer(BaseModel):
        city: str
        degrees: int

    client = instructor.from_provider(model)
    say(client.chat.completions.create(response_model=Answer, messages=[{'role': 'user', 'content': PROMPT}]))


def instructor_anthropic():
    instructor(f'anthropic/{CLAUDE}')


def semantic_kernel():
    from semantic_kernel.agents import ChatCompletionAgent
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
    from semantic_kernel.functions import kernel_function

    class Shop:
        @kernel_function(name='get_order', description='order')
        def order(self, order_id: int) -> str:
            return get_order(order_id)

        @kernel_function(name='get_weather', description='weather')
        def weather(self, city: str) -> str:
            return get_weather(city)

    async def main():
        service = OpenAIChatCompletion(ai_model_id=GPT)
        agent = ChatCompletionAgent(service=service, name='support', instructions=SYSTEM, plugins=[Shop()])
        say((await agent.get_response(messages=PROMPT)).content)

    asyncio.run(main())


def agent_framework():
    from agent_framework import Agent
    from agent_framework.openai import OpenAIChatClient

    async def main():
        agent = Agent(client=OpenAIChatClient(model=GPT), instructions=SYSTEM, tools=[get_order, get_weather])
        say(str(await agent.run(PROMPT)))

    asyncio.run(main())


# strands
def strands_with(model):
    from strands import Agent, tool

    tools = [tool(get_order), tool(get_weather)]
    say(str(Agent(model=model, tools=tools, system_prompt=SYSTEM, callback_handler=None)(PROMPT)).strip())


def strands():
    from strands.models.openai import OpenAIModel

    strands_with(OpenAIModel(model_id=GPT))


def strands_anthropic():
    from strands.models.anthropic import AnthropicModel

    strands_with(AnthropicModel(model_id=CLAUDE, max_tokens=500))


def mirascope():
    from mirascope import llm

    @llm.call(f'openai/{GPT}', tools=[llm.tool(get_order), llm.tool(get_weather)])
    def ask():
        return PROMPT

    response = ask()
    while response.tool_calls:
        response = response.resume(response.execute_tools())
    say(response.text())


# google-adk
def google_adk(model=GEMINI, is_streamed=False):
    from google.adk.agents import Agent
    from google.adk.agents.run_config import RunConfig, StreamingMode
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    async def main():
        agent = Agent(name='support', model=model, instruction=SYSTEM, tools=[get_order, get_weather])
        runner = InMemoryRunner(agent=agent, app_name='app')
        session = await runner.session_service.create_session(app_name='app', user_id='u')
        asked = types.Content(role='user', parts=[types.Part(text=PROMPT)])
        config = RunConfig(streaming_mode=StreamingMode.SSE) if is_streamed else RunConfig()
        async for event in runner.run_async(
            user_id='u', session_id=session.id, new_message=asked, run_config=config
        ):
            if event.error_message:
                sys.exit(f'{event.error_code} {event.error_message}')
            if event.content and event.content.parts and event.content.parts[0].text:
                say(event.content.parts[0].text)

    asyncio.run(main())


def google_adk_stream():
    google_adk(is_streamed=True)


def google_adk_litellm():
    from google.adk.models.lite_llm import LiteLlm

    google_adk(LiteLlm(f'openai/{GPT}'))


globals()[NAME]()
