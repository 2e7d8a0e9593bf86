import type { Interceptor, InterceptorOptions } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { createPace } from './paced-call.ts';

type Call = ReturnType<Interceptor>;

it('asks for a message when the last one has been dealt with, however often the library asks', () => {
  let asked = 0;
  const next = { startRead: () => (asked += 1) } as unknown as Call;
  const pace = createPace();
  const call = pace.interceptor({} as InterceptorOptions, () => next);
  call.startRead();
  expect(asked).toBe(1);
  call.startRead();
  call.startRead();
  expect(asked).toBe(1);
  pace.next();
  expect(asked).toBe(2);
  pace.next();
  expect(asked).toBe(2);
  call.startRead();
  expect(asked).toBe(3);
});
