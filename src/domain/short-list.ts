/**
 * The list with one more item, for lists that hold one or two nearly always: one that an item is pushed to has room for
 * seventeen at once. The list that was given is not to be used any more.
 */
export function appended<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  if (list.length < 4) return [...list, item];
  (list as T[]).push(item);
  return list;
}
