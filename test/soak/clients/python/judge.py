"""Reads requests that a server got, as JSON, and fails unless botocore would have signed each of them as it is signed."""

import json
import re
import sys
from base64 import b64decode

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

AUTHORIZATION = r"AWS4-HMAC-SHA256 Credential=([^/]+)/\d+/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)"

requests = json.load(sys.stdin)
assert requests
for request in requests:
    headers = {name.lower(): value for name, value in request["headers"].items()}
    key_id, region, service, signed, signature = re.match(AUTHORIZATION, headers["authorization"]).groups()
    sent = AWSRequest(
        method=request["method"],
        url=f"https://{headers['host']}{request['url']}",
        data=b64decode(request["body"]),
        headers={name: headers[name] for name in signed.split(";")},
    )
    sent.context["timestamp"] = headers["x-amz-date"]
    judge = SigV4Auth(Credentials(key_id, sys.argv[1]), service, region)
    expected = judge.signature(judge.string_to_sign(sent, judge.canonical_request(sent)), sent)
    assert signature == expected, f"{signature} is not the signature of {request['method']} {request['url']}, which is {expected}"
print(f"{len(requests)} signed as botocore does")
