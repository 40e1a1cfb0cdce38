"""Calls every API with its own SDK. VARIANT: same, text (another prompt), or model (another model)."""
import os
import warnings

warnings.filterwarnings('ignore')
os.environ.setdefault('AWS_DEFAULT_REGION', 'us-east-1')
import boto3
import botocore.config
import cohere
import ollama
from anthropic import Anthropic
from google import genai
from mistralai.client import Mistral
from openai import AzureOpenAI, OpenAI

VARIANT = os.environ.get('VARIANT', 'same')
KEY = {'api_key': 'stand-in'}


def prompt(about):
    return f'How do I get to the {"market" if VARIANT == "text" else "harbour"} from the {about}, please?'


def model(name):
    return f'{name}-2099' if VARIANT == 'model' else name


def said(about):
    return [{'role': 'user', 'content': prompt(about)}]


openai = OpenAI(max_retries=0, **KEY)
azure = AzureOpenAI(max_retries=0, api_version='2024-10-21', azure_endpoint=os.environ['AZURE_OPENAI_ENDPOINT'], **KEY)
anthropic = Anthropic(max_retries=0, **KEY)
gemini = genai.Client(**KEY)
bedrock = boto3.client('bedrock-runtime', config=botocore.config.Config(retries={'max_attempts': 0}))
mistral = Mistral(server_url=os.environ['MISTRAL_BASE_URL'], **KEY)


def batch():
    params = {'model': model('claude-a'), 'max_tokens': 9, 'messages': said('bakery')}
    made = anthropic.messages.batches.create(requests=[{'custom_id': 'one', 'params': params}])
    return [entry.custom_id for entry in anthropic.messages.batches.results(made.id)]


CALLS = {
    'openai chat': lambda: openai.chat.completions.create(model=model('gpt-a'), messages=said('station')),
    'openai responses': lambda: openai.responses.create(model=model('gpt-b'), input=prompt('castle')),
    'openai embeddings': lambda: openai.embeddings.create(model=model('embed-a'), input=[prompt('bridge')]),
    'azure chat': lambda: azure.chat.completions.create(model=model('deployed'), messages=said('theatre')),
    'anthropic messages': lambda: anthropic.messages.create(model=model('claude-b'), max_tokens=9, messages=said('library')),
    'anthropic count_tokens': lambda: anthropic.messages.count_tokens(model=model('claude-c'), messages=said('garden')),
    'gemini': lambda: gemini.models.generate_content(model=model('gemini-a'), contents=prompt('museum')),
    'bedrock converse': lambda: bedrock.converse(
        modelId=model('anthropic.claude-d'), messages=[{'role': 'user', 'content': [{'text': prompt('lighthouse')}]}]
    ),
    'cohere v1': lambda: cohere.Client(**KEY).chat(model=model('command-a'), message=prompt('tower')),
    'cohere v2': lambda: cohere.ClientV2(**KEY).chat(model=model('command-b'), messages=said('windmill')),
    'cohere embed': lambda: cohere.ClientV2(**KEY).embed(
        model=model('embed-b'), texts=[prompt('cinema')], input_type='search_query', embedding_types=['float']
    ),
    'ollama': lambda: ollama.Client().chat(model=model('llama-a'), messages=said('stadium')),
    'mistral': lambda: mistral.chat.complete(model=model('mistral-a'), messages=said('airport')),
    'anthropic batches': batch,
}

for name, call in CALLS.items():
    try:
        call()
        print(f'{name}\tok')
    except Exception as error:
        # As a developer sees it in a test that failed.
        print(f'{name}\t{type(error).__name__}: {error}'.replace('\\n', ' / ').replace('\n', ' / '))
