import { keptCopy } from './kept-octets.ts';

/** What is written into is at least this large; an answer takes about 130 octets. */
const leastCapacity = 8_192;

/**
 * Collects what is to be sent, in one buffer that grows. Whoever encodes a message writes into it directly, so that an
 * answer is made in place and never copied.
 */
export class OctetWriter {
  octets: Buffer;
  /** Where the next octet goes. */
  at = 0;

  constructor(capacity = leastCapacity) {
    this.octets = capacity === 0 ? noOctets : Buffer.allocUnsafeSlow(capacity);
  }

  /** Makes room for so many octets behind {@link at}; {@link octets} may be another buffer afterwards. */
  reserve(count: number): void {
    const needed = this.at + count;
    if (needed <= this.octets.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(leastCapacity, needed, 2 * this.at));
    this.octets.copy(grown, 0, 0, this.at);
    this.octets = grown;
  }

  octet(value: number): void {
    this.reserve(1);
    this.octets[this.at++] = value;
  }

  /** Big-endian, as HTTP/2 and gRPC count. */
  uint32(value: number): void {
    this.reserve(4);
    this.at = this.octets.writeUInt32BE(value, this.at);
  }

  bytes(octets: Uint8Array): void {
    this.reserve(octets.length);
    this.octets.set(octets, this.at);
    this.at += octets.length;
  }

  /** Text as UTF-8; a lone surrogate becomes U+FFFD. */
  text(text: string): void {
    this.reserve(3 * text.length);
    // Short text that is ASCII is what there is to write nearly always, and a call into the runtime costs more than it.
    const { octets, at } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80 || i === 64) {
        this.at = at + i + octets.write(text.slice(i), at + i, 'utf8');
        return;
      }
      octets[at + i] = code;
    }
    this.at = at + text.length;
  }

  /** Begins anew: the buffer is somebody else's now. */
  letGo(): void {
    this.octets = noOctets;
    this.at = 0;
  }

  /** Hands out what was written, and begins anew. The octets are the receiver's now, and keep little more than they are. */
  take(): Buffer {
    const taken = this.octets.subarray(0, this.at);
    const isLittle = 4 * this.at < 3 * this.octets.length;
    this.letGo();
    return isLittle ? keptCopy(taken) : taken;
  }
}

const noOctets = Buffer.alloc(0);
