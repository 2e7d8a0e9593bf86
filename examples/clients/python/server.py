"""A service that asks Weir about every request. In this folder, with `npm start` in the repository:

    LIMIT_RESPONSE_HEADERS_ENABLED=true LIMIT_RESPONSE_HEADERS_STYLE=x-ratelimit DENIAL_BODY=json npm start
    pip install -r requirements.txt
    mkdir stubs
    python -m grpc_tools.protoc -I ../../../proto --python_out=stubs --grpc_python_out=stubs \
        envoy/service/ratelimit/v3/rls.proto envoy/extensions/common/ratelimit/v3/ratelimit.proto \
        envoy/config/core/v3/base.proto envoy/type/v3/ratelimit_unit.proto
    PORT=3000 PYTHONPATH=stubs python server.py
    curl -i http://127.0.0.1:3000/ -H 'x-user-id: ann'
"""

import os
from wsgiref.simple_server import make_server

from rate_limit import RateLimit


def describe(environ):
    """The address of the client and its user: two limits, as in examples/config."""
    descriptors = [[("remote_address", environ["REMOTE_ADDR"])]]
    # In a real service, whoever was authenticated; what clients send in a header they can choose.
    user = environ.get("HTTP_X_USER_ID")
    if user is not None:
        # WSGI gives a character for each octet of a header.
        descriptors.append([("user", user.encode("latin-1").decode(errors="replace"))])
    return descriptors


def hello(_environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"hello"]


def main():
    limited = RateLimit(
        hello,
        target=os.environ.get("WEIR", "localhost:8081"),
        domain="api",
        describe=describe,
        deadline=float(os.environ.get("DEADLINE_MS", "20")) / 1_000,
        fail_open=os.environ.get("FAIL_CLOSED", "") == "",
    )
    with make_server("127.0.0.1", int(os.environ.get("PORT", "3000")), limited) as server:
        print(f"listening on 127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
