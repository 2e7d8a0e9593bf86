import type { TransportLimits } from '../../src/transport/transport-limits.ts';
import { transportLimits } from '../support/transport-limits.ts';

const many = 1_000_000;

/** Nothing counts as a flood. */
const patient: Partial<TransportLimits> = {
  resetsPerSecond: many,
  streamErrorsPerSecond: many,
  settingsPerMinute: many,
  pingsPerMinute: many,
  emptyFramesPerMinute: many,
  minPingIntervalMs: 0,
};

/** The least that the settings allow, so that each limit is reached within a few frames. */
const least: Partial<TransportLimits> = {
  maxConcurrentStreams: 2,
  maxHeaderListBytes: 1_024,
  maxMessageBytes: 20_000,
  streamWindowBytes: 65_535,
  connectionWindowBytes: 65_535,
  maxUnsentBytes: 65_536,
};

const fewFloods: Partial<TransportLimits> = {
  resetsPerSecond: 1,
  streamErrorsPerSecond: 1,
  settingsPerMinute: 3,
  pingsPerMinute: 3,
  emptyFramesPerMinute: 3,
  minPingIntervalMs: 5_000,
};

/** Large messages, for which nearly all windows are too small. */
const largeMessages: Partial<TransportLimits> = {
  maxFrameBytes: 40_000,
  maxMessageBytes: 150_000,
  streamWindowBytes: 65_535,
};

/** Limits of the sessions that are fed. The first are those of a server without settings of its own. */
export const profiles: readonly TransportLimits[] = [
  transportLimits(),
  transportLimits({ ...least, ...fewFloods }),
  transportLimits(patient),
  transportLimits({ ...least, ...patient }),
  transportLimits({ ...least, ...patient, maxConcurrentStreams: 50, maxMessageBytes: 60_000 }),
  transportLimits({ ...patient, ...largeMessages, connectionWindowBytes: 200_000 }),
];

/** Those under which a client that keeps to the rules is never cut off. */
export const patientProfiles: readonly number[] = [2, 3, 4, 5];
