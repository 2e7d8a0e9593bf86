/** Where lines come to, piece by piece. */
export interface LineSplitter {
  /** The lines that end in this piece of the log; undefined stands for one that was too long. */
  push(piece: Buffer): readonly (string | undefined)[];
  /** What is left behind the last line end. */
  end(): readonly (string | undefined)[];
}

const lineFeed = 0x0a;
const byteOrderMark = '\ufeff';

/**
 * Splits a log in UTF-8 at its line ends. No more than a line of the greatest length and a piece are held.
 * @param maxLength octets of a line; what is longer is left out as a whole
 */
export function createLineSplitter(maxLength: number): LineSplitter {
  let begun: Buffer[] = [];
  let begunLength = 0;
  let isFirst = true;

  const keep = (piece: Buffer) => {
    begunLength += piece.length;
    if (begunLength > maxLength) begun = [];
    else if (piece.length > 0) begun.push(piece);
  };

  const finish = (piece: Buffer): string | undefined => {
    keep(piece);
    const line = begunLength > maxLength ? undefined : Buffer.concat(begun).toString('utf8');
    const hasMark = isFirst && line?.startsWith(byteOrderMark) === true;
    begun = [];
    begunLength = 0;
    isFirst = false;
    return hasMark ? line?.slice(1) : line;
  };

  return {
    push(piece) {
      const first = piece.indexOf(lineFeed);
      if (first < 0) {
        keep(piece);
        return [];
      }
      const last = piece.lastIndexOf(lineFeed);
      const begunLine = finish(piece.subarray(0, first));
      const lines = last > first ? piece.toString('utf8', first + 1, last).split('\n') : [];
      keep(piece.subarray(last + 1));
      return [begunLine, ...lines.map((line) => (line.length > maxLength ? undefined : line))];
    },
    end: () => (begunLength === 0 ? [] : [finish(Buffer.alloc(0))]),
  };
}
