import { AnswerBlocks, says } from './answer-blocks.ts';
import { type Frame, flags } from './frames.ts';
import { type InFlight, stages } from './in-flight.ts';

/** A message of gRPC begins with a flag and its length. */
const grpcHeadLength = 5;

/** How a call stands after one of its frames. */
export type Progress = 'open' | 'ok' | 'failed';

/**
 * Follows the answers of one connection. A call has succeeded if it got HEADERS with status 200, a message
 * that is not empty, and trailers with grpc-status 0; anything else, as an error that comes as trailers
 * alone, is a failed call.
 */
export class Answers {
  readonly #calls: InFlight;
  readonly #blocks = new AnswerBlocks();

  constructor(calls: InFlight) {
    this.#calls = calls;
  }

  readHeaders({ octets, flags: set, stream, from, to }: Frame): Progress {
    if ((set & flags.endHeaders) === 0 || (set & (flags.padded | flags.priority)) !== 0) {
      throw new Error('a header block in several frames, or padded: too much for this client');
    }
    // Also the block of a call that is over counts: it may have filled the table.
    const said = this.#blocks.read(octets, from, to);
    if (!this.#calls.has(stream)) return 'open';
    const stage = this.#calls.stageOf(stream);
    if ((set & flags.endStream) !== 0) {
      return stage === stages.message && said === says.grpcStatusOk ? 'ok' : 'failed';
    }
    const isGood = stage === stages.sent && said === says.status200;
    this.#calls.setStage(stream, isGood ? stages.headers : stages.bad);
    return 'open';
  }

  readData({ octets, flags: set, stream, from, to }: Frame): Progress {
    if ((set & flags.padded) !== 0) throw new Error('padded DATA: too much for this client');
    if (!this.#calls.has(stream)) return 'open';
    if (this.#calls.stageOf(stream) === stages.headers && to > from) {
      const hasMessage = to - from >= grpcHeadLength && octets.readUInt32BE(from + 1) > 0;
      this.#calls.setStage(stream, hasMessage ? stages.message : stages.bad);
    }
    return (set & flags.endStream) !== 0 ? 'failed' : 'open';
  }
}
