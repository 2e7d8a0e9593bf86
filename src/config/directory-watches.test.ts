import { EventEmitter } from 'node:events';
import { watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDirectoryWatches } from './directory-watches.ts';

// The operating system's part, so that it can fail and speak when the test says so. Real directories are watched in
// test/integration/config.
vi.mock('node:fs', { spy: true });
const systemWatch = vi.mocked(watch);

afterEach(() => systemWatch.mockReset());

function createWatcher() {
  const watcher = Object.assign(new EventEmitter(), { close: vi.fn(), ref: vi.fn(), unref: vi.fn() });
  systemWatch.mockReturnValueOnce(watcher as unknown as ReturnType<typeof watch>);
  return watcher;
}

function refuse(): void {
  systemWatch.mockImplementationOnce(() => {
    throw new Error('ENOSPC: System limit for number of file watchers reached');
  });
}

function create() {
  const onChange = vi.fn();
  const onFailure = vi.fn();
  return { onChange, onFailure, watches: createDirectoryWatches({ onChange, onFailure }) };
}

const directory = tmpdir();
const all = new Map([[directory, 'all' as const]]);

describe('a directory that can not be watched', () => {
  it('is told once, and again after it could be watched in between', async () => {
    const { watches, onFailure } = create();
    refuse();
    await watches.update(all);
    refuse();
    await watches.update(all);
    expect(onFailure.mock.calls).toEqual([[directory, expect.stringContaining('ENOSPC')]]);

    const watcher = createWatcher();
    await watches.update(all);
    watcher.emit('error', new Error('it broke'));
    expect(onFailure.mock.calls.at(-1)).toEqual([directory, 'it broke']);
    expect(watcher.close).toHaveBeenCalled();
  });
});

describe('a change', () => {
  it.each([
    ['of any name, where all matter', 'all' as const, 'other', 1],
    ['of a name that matters', new Set(['mine']), 'mine', 1],
    ['of a name that the system does not tell', new Set(['mine']), null, 1],
    ['of another name', new Set(['mine']), 'other', 0],
  ])('%s', async (_, names, name, calls) => {
    const { watches, onChange } = create();
    const watcher = createWatcher();
    await watches.update(new Map([[directory, names]]));
    watcher.emit('change', 'rename', name);
    expect(onChange).toHaveBeenCalledTimes(calls);
  });
});

describe('a watch', () => {
  it('stays while its directory is wanted, and takes new names', async () => {
    const { watches, onChange } = create();
    const watcher = createWatcher();
    await watches.update(new Map([[directory, new Set(['mine'])]]));
    await watches.update(new Map([[directory, new Set(['other'])]]));
    watcher.emit('change', 'rename', 'other');
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(systemWatch).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'its directory is not wanted any more',
      (watches: ReturnType<typeof create>['watches']) => watches.update(new Map()),
    ],
    ['all are closed', (watches: ReturnType<typeof create>['watches']) => watches.close()],
  ])('ends when %s', async (_, end) => {
    const { watches } = create();
    const watcher = createWatcher();
    await watches.update(all);
    await end(watches);
    expect(watcher.close).toHaveBeenCalledTimes(1);
  });
});
