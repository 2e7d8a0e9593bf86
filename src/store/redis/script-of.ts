import type { Batch } from './batch.ts';
import {
  countAny,
  countAnyPlain,
  countFixedWindows,
  countFixedWindowsPlain,
  type LuaScript,
} from './scripts.gen.ts';

/** The script for a batch. @param flags whether the server takes scripts with flags */
export function scriptOf({ script }: Batch, flags: boolean): LuaScript {
  if (script === 'count_fixed_windows') return flags ? countFixedWindows : countFixedWindowsPlain;
  return flags ? countAny : countAnyPlain;
}
