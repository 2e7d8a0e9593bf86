import type { Attack } from './attack.ts';
import * as crowds from './crowd-attacks.ts';
import * as floods from './floods.ts';
import * as flow from './flow-attacks.ts';
import * as gzip from './gzip-attacks.ts';
import * as headers from './header-attacks.ts';
import * as messages from './message-attacks.ts';
import * as resets from './reset-attacks.ts';
import * as slow from './slow-attacks.ts';

/** All attacks, in the order of the table in docs/security-grpc.md. */
export const allAttacks: readonly Attack[] = [
  resets.rapidReset,
  resets.rapidResetOfWork,
  ...resets.madeYouReset,
  floods.settingsFlood,
  floods.settingsUnread,
  floods.largeSettings,
  floods.windowsUpAndDown,
  floods.pingFlood,
  floods.pingsUnread,
  floods.idlePings,
  floods.emptyData,
  floods.paddedData,
  floods.priorities,
  floods.windowUpdates,
  floods.windowUpdatesForNothing,
  floods.ignoredFrames,
  resets.dataAfterAll,
  resets.dataAfterAllUnread,
  resets.trickleUnread,
  floods.windowOverflow,
  headers.endlessContinuation,
  headers.smallContinuations,
  headers.emptyContinuations,
  headers.hpackBomb,
  headers.huffmanBomb,
  headers.manyFields,
  headers.http2Bomb,
  headers.longEncodings,
  headers.tableGames,
  headers.blocksForNothing,
  flow.zeroWindow,
  flow.zeroWindowAlive,
  flow.windowsOfOne,
  flow.neverReads,
  flow.longAnswersUnread,
  slow.slowHeaders,
  slow.slowBlock,
  slow.slowBody,
  slow.slowPreface,
  messages.announced4GiB,
  messages.neverComplete,
  messages.beyondWindows,
  gzip.gzipBombs,
  gzip.gzipRequests,
  gzip.gzipNames,
  messages.longNames,
  messages.emptyMessages,
  messages.tinyFrames,
  messages.allAtOnce,
  messages.everything,
  crowds.idleConnections,
  crowds.begunFrames,
  crowds.comeAndGo,
  crowds.silentPeers,
];
