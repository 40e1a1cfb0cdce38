"""Asks an API by its own address, with the client that is named, and prints the answer."""

import sys

QUESTION = "How is the weather in Berlin?"
TURNS = [{"role": "user", "content": QUESTION}]
FORECAST = "https://api.weather.test/forecast?city=Berlin"


def openai():
    from openai import OpenAI

    client = OpenAI(max_retries=0)
    return client.chat.completions.create(model="gpt-4o-mini", messages=TURNS).choices[0].message.content


def anthropic():
    from anthropic import Anthropic

    client = Anthropic(max_retries=0)
    return client.messages.create(model="claude-opus-4-6", max_tokens=99, messages=TURNS).content[0].text


def google_genai():
    from google import genai

    client = genai.Client()
    return client.models.generate_content(model="gemini-2.5-flash", contents=QUESTION).text


def mistralai():
    import os

    from mistralai.client import Mistral

    client = Mistral(api_key=os.environ["MISTRAL_API_KEY"])
    return client.chat.complete(model="mistral-small", messages=TURNS).choices[0].message.content


def cohere():
    import cohere

    return cohere.ClientV2().chat(model="command-a", messages=TURNS).message.content[0].text


def groq():
    from groq import Groq

    client = Groq(max_retries=0)
    return client.chat.completions.create(model="llama-3.3", messages=TURNS).choices[0].message.content


def ollama():
    import ollama

    return ollama.chat(model="llama3.2", messages=TURNS).message.content


def boto3():
    import boto3

    client = boto3.client("bedrock-runtime", region_name="us-east-1")
    turns = [{"role": "user", "content": [{"text": QUESTION}]}]
    answer = client.converse(modelId="anthropic.claude-3-5-haiku-20241022-v1:0", messages=turns)
    return answer["output"]["message"]["content"][0]["text"]


def litellm():
    import os

    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.telemetry = False
    return litellm.completion(model="openai/gpt-4o-mini", messages=TURNS, num_retries=0).choices[0].message.content


def httpx():
    import httpx

    return httpx.get(FORECAST).raise_for_status().text


def requests():
    import requests

    response = requests.get(FORECAST)
    response.raise_for_status()
    return response.text


def aiohttp():
    import asyncio

    import aiohttp

    async def ask():
        async with aiohttp.ClientSession() as session, session.get(FORECAST) as response:
            response.raise_for_status()
            return await response.text()

    return asyncio.run(ask())


def urllib3():
    import urllib3

    response = urllib3.PoolManager().request("GET", FORECAST, retries=False)
    assert response.status == 200, response.status
    return response.data.decode()


print(globals()[sys.argv[1].replace("-", "_")]())
