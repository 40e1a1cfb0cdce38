"""The MCP server of the agents, over stdio: two tools, and a banner on stderr."""
import json
import sys

TOOLS = {
    'get_order': ('order_id', 'integer', lambda given: f'order {given}: shipped to Paris'),
    'get_weather': ('city', 'string', lambda given: f'{given}: 21 degrees'),
}


def answer(method, params):
    if method == 'initialize':
        server = {'name': 'shop', 'version': '1'}
        return {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': server}
    if method == 'tools/list':
        return {'tools': [described(name, *tool) for name, tool in TOOLS.items()]}
    if method == 'tools/call':
        parameter, _, act = TOOLS[params['name']]
        return {'content': [{'type': 'text', 'text': act(params['arguments'][parameter])}]}
    return {}


def described(name, parameter, kind, _):
    schema = {'type': 'object', 'properties': {parameter: {'type': kind}}, 'required': [parameter]}
    return {'name': name, 'description': name, 'inputSchema': schema}


print('shop server ready', file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message and 'method' in message:
        result = answer(message['method'], message.get('params') or {})
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
