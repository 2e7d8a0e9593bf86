"""The calls of the suite grpc-clients.test.ts by grpcio, printed as one JSON object: what each call came to.

It makes and reads no messages: they are octets here, and the suite decodes them.

    grpcio_client.py --target HOST:PORT --request FILE (--large FILE | --steady CALLS) [--ca FILE]
"""

import argparse
import json
import queue
from concurrent.futures import ThreadPoolExecutor

import grpc

RATE_LIMIT = "/envoy.service.ratelimit.v3.RateLimitService/"
LIMIT = RATE_LIMIT + "ShouldRateLimit"
HEALTH = "/grpc.health.v1.Health/"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
CALL_TIMEOUT_S = 10
SHORT_TIMEOUT_S = 0.3

# A ServerReflectionRequest with `list_services: "*"`, field 7.
LIST_SERVICES = b"\x3a\x01*"

TOO_LARGE = bytes(5 * 1024 * 1024)

METADATA = (
    ("x-long", "0123456789" * 1_000),
    ("x-octets-bin", b"\x00\xff\x80"),
    ("x-twice", "a"),
    ("x-twice", "b"),
)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--target", required=True)
    arguments.add_argument("--request", required=True)
    arguments.add_argument("--large")
    arguments.add_argument("--steady", type=int)
    arguments.add_argument("--ca")
    options = arguments.parse_args()
    request = read(options.request)
    with connect(options.target, options.ca) as channel:
        if options.steady is None:
            print(json.dumps(calls(channel, request, read(options.large))))
        else:
            print(json.dumps(at_a_time(channel, 8, options.steady, request)))


def connect(target, ca):
    if ca is None:
        return grpc.insecure_channel(target)
    return grpc.secure_channel(target, grpc.ssl_channel_credentials(read(ca)))


def calls(channel, request, large):
    gzip = grpc.Compression.Gzip
    return {
        "unary": unary(channel, LIMIT, request),
        "gzip": unary(channel, LIMIT, request, compression=gzip),
        "metadata": unary(channel, LIMIT, request, metadata=METADATA),
        "large": unary(channel, LIMIT, large),
        "large-gzip": unary(channel, LIMIT, large, compression=gzip),
        "too-large": [unary(channel, LIMIT, TOO_LARGE) for _ in range(10)],
        "unknown-method": unary(channel, RATE_LIMIT + "NoSuchMethod", request),
        "check": unary(channel, HEALTH + "Check", b""),
        "cancelled": watch(channel, CALL_TIMEOUT_S, cancelled=True),
        "timed-out": watch(channel, SHORT_TIMEOUT_S, cancelled=False),
        "request-without-end": request_without_end(channel),
        "reflection": list_services_twice(channel),
        "concurrent": at_a_time(channel, 200, 200, request),
        "last": unary(channel, LIMIT, large),
    }


def unary(channel, path, request, **options):
    return outcome(channel.unary_unary(path).future(request, timeout=CALL_TIMEOUT_S, **options))


def at_a_time(channel, width, count, request):
    """So many calls, with a number of them under way at any time."""
    with ThreadPoolExecutor(max_workers=width) as threads:
        return list(threads.map(lambda _: unary(channel, LIMIT, request), range(count)))


def watch(channel, timeout, cancelled):
    """One health.Watch, which has no end of its own, up to its deadline or until it is cancelled."""
    call = channel.unary_stream(HEALTH + "Watch")(b"", timeout=timeout)
    answers = []
    try:
        for answer in call:
            answers.append(answer)
            if cancelled:
                call.cancel()
    except grpc.RpcError:
        pass  # it is the call, and has its status
    return ended(call, answers)


def request_without_end(channel):
    """A unary call that never says what it asks."""
    questions = queue.SimpleQueue()
    call = channel.stream_unary(LIMIT).future(iter(questions.get, None), timeout=SHORT_TIMEOUT_S)
    result = outcome(call)
    questions.put(None)  # for the thread that waits for one
    return result


def list_services_twice(channel):
    """A call that streams both ways: the second question goes out when the first is answered."""
    questions = queue.SimpleQueue()
    call = channel.stream_stream(REFLECTION)(iter(questions.get, None), timeout=CALL_TIMEOUT_S)
    answers = []
    try:
        for question in (LIST_SERVICES, LIST_SERVICES):
            questions.put(question)
            answers.append(next(call))
        questions.put(None)
        answers.extend(call)
    except grpc.RpcError:
        questions.put(None)
    return ended(call, answers)


def outcome(future):
    error = future.exception()
    return ended(future, [] if error is not None else [future.result()])


def ended(call, answers):
    code, _ = call.code().value
    return {"code": code, "text": call.details() or "", "answers": [answer.hex() for answer in answers]}


def read(path):
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    main()
