/** A source that cannot be read now, as foreign errors are translated. The message is the reason, for the log. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
}
