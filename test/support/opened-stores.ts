import { afterEach } from 'vitest';
import { type ObservedStore, observedStore } from './redis-stores.ts';

/** What a test opened; everything is closed after it, in the opposite order. */
export interface Opened {
  open<T extends AsyncDisposable>(resource: T): T;
  openStore(...options: Parameters<typeof observedStore>): ObservedStore;
}

/** To be called once, at the top of a test file. */
export function closeAfterEach(): Opened {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  return {
    open: (resource) => {
      opened.push(async () => resource[Symbol.asyncDispose]());
      return resource;
    },
    openStore: (...options) => {
      const observed = observedStore(...options);
      opened.push(() => observed.store.close());
      return observed;
    },
  };
}
