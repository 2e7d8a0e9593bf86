import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

/** A name server of the loopback network that has this address for every name. Port 53 needs root. It ends with the test. */
export async function startNameServer(
  host: string,
  address: readonly number[],
): Promise<{ readonly host: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isV4 = question.readUInt16BE(question.length - 4) === 1;
    // RFC 1035, section 4.1: the head, the question, and one answer that refers to the question's name.
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
    const parts = [query.subarray(0, 2), head, question, ...(isV4 ? [answer] : [])];
    socket.send(Buffer.concat(parts), peer.port, peer.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(53, host, resolve);
  });
  onTestFinished(() => void socket.close());
  return { host };
}
