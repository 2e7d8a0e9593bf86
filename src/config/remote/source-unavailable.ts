/** A source that cannot be read now, as foreign errors are translated. The message is the reason, for the log. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
  /** When it is to be read again at the latest, in ms, although it may be away for long. */
  readonly withinMs: number;

  constructor(reason: string, withinMs = Number.POSITIVE_INFINITY) {
    super(reason);
    this.withinMs = withinMs;
  }
}
