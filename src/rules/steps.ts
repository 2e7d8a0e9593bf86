/** Work that lets others in between: it yields now and then, and returns what came of it. */
export type Steps<T> = Generator<void, T>;

/** Does all of it now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
