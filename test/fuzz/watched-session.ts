import { Http2Session } from '../../src/transport/http2/session.ts';

/** Sees each frame before and after the session takes it. */
export interface FrameWatcher {
  before(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void;
  after(): void;
}

/** The session under test, at whose frames somebody looks. */
export class WatchedSession extends Http2Session {
  watcher: FrameWatcher | undefined;

  override frame(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    this.watcher?.before(type, flags, id, octets, start, end);
    this.take(type, flags, id, octets, start, end);
    this.watcher?.after();
  }

  /** What sessions that are broken on purpose do otherwise. */
  protected take(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    super.frame(type, flags, id, octets, start, end);
  }
}
