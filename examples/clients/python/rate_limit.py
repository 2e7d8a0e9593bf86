"""Asks Weir about each request of a WSGI application, before the application sees it."""

import json
import logging
from http import HTTPStatus

import grpc
from envoy.extensions.common.ratelimit.v3.ratelimit_pb2 import RateLimitDescriptor
from envoy.service.ratelimit.v3.rls_pb2 import RateLimitRequest, RateLimitResponse
from envoy.service.ratelimit.v3.rls_pb2_grpc import RateLimitServiceStub

log = logging.getLogger(__name__)

CHANNEL_OPTIONS = (
    # One connection to each address of the name, such as that of a headless Service.
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})),
    # By default it may look for a Weir that was away only two minutes later.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


class RateLimit:
    """A WSGI application around another one.

    describe: what is limited, of the request's environ: one descriptor for each limit, as a list of keys and values.
        None: the request passes.
    deadline: how long a request waits for an answer, in seconds.
    fail_open: whether a request without an answer passes.
    """

    def __init__(self, application, *, target, domain, describe, deadline=0.02, fail_open=True):
        self.application = application
        self.domain = domain
        self.describe = describe
        self.deadline = deadline
        self.fail_open = fail_open
        # A server that forks has to make this in each worker: channels do not survive a fork.
        self.stub = RateLimitServiceStub(grpc.insecure_channel(target, CHANNEL_OPTIONS))

    def __call__(self, environ, start_response):
        descriptors = self.describe(environ)
        if not descriptors:
            return self.application(environ, start_response)
        request = RateLimitRequest(domain=self.domain, descriptors=map(to_message, descriptors))
        try:
            answer = self.stub.ShouldRateLimit(request, timeout=self.deadline)
        except grpc.RpcError as error:
            log.warning("no answer from Weir: %s", error.code())
            if self.fail_open:
                return self.application(environ, start_response)
            return respond(start_response, HTTPStatus.SERVICE_UNAVAILABLE, [], b"rate limits cannot be checked\n")

        # Weir makes the headers and the body; docs/clients.md names the settings.
        added = [(header.key, header.value) for header in answer.response_headers_to_add]
        if answer.overall_code == RateLimitResponse.OVER_LIMIT:
            return respond(start_response, HTTPStatus.TOO_MANY_REQUESTS, added, answer.raw_body)

        def start_with_headers(status, headers, exc_info=None):
            return start_response(status, [*headers, *added], exc_info)

        return self.application(environ, start_with_headers)


def to_message(descriptor):
    entries = [RateLimitDescriptor.Entry(key=key, value=value) for key, value in descriptor]
    return RateLimitDescriptor(entries=entries)


def respond(start_response, status, headers, body):
    start_response(f"{status.value} {status.phrase}", [*headers, ("Content-Length", str(len(body)))])
    return [body]
