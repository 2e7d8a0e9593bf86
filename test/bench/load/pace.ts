/** How long a load goes on: until so many calls are sent or so much time is over, whichever is first. */
export interface Span {
  readonly calls: number;
  readonly seconds: number;
}

/** When calls are sent. Moments are in ms after the start. */
export interface Pace {
  /**
   * When the next call is or was due, if that is not after `now`; otherwise undefined. It then counts as
   * sent.
   */
  take(now: number): number | undefined;
  /** Whether there are no more calls. */
  readonly isOver: boolean;
}

/**
 * A closed loop: a call is due as soon as it may be sent, so each stream asks again when it has its answer.
 */
export function closedPace({ calls, seconds }: Span): Pace {
  let sent = 0;
  let isOver = false;
  return {
    take: (now) => {
      isOver ||= sent >= calls || now >= seconds * 1000;
      if (isOver) return undefined;
      sent++;
      return now;
    },
    get isOver() {
      return isOver;
    },
  };
}

/**
 * An open loop: calls are due when they come, however long the answers take. One that could not be sent yet
 * stays due since then, so that its waiting is part of its latency.
 */
export function openPace(arrivals: () => number, { calls, seconds }: Span): Pace {
  let sent = 0;
  let due = arrivals();
  const isOver = () => sent >= calls || due >= seconds * 1000;
  return {
    take: (now) => {
      if (due > now || isOver()) return undefined;
      const taken = due;
      sent++;
      due = arrivals();
      return taken;
    },
    get isOver() {
      return isOver();
    },
  };
}
