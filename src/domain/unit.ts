/** Units of a limit, as in Envoy's RateLimit.Unit. Months are 30 days and years 365 days, as in the reference. */
export type Unit = 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';

/** Length of each unit's window in seconds. */
export const unitSeconds: Readonly<Record<Unit, number>> = Object.freeze({
  SECOND: 1,
  MINUTE: 60,
  HOUR: 3_600,
  DAY: 86_400,
  WEEK: 604_800,
  MONTH: 2_592_000,
  YEAR: 31_536_000,
});

export const units = Object.freeze(Object.keys(unitSeconds) as Unit[]);

/** The unit whose window has this length; other windows have none, and are reported with unit UNKNOWN. */
export function unitOfSeconds(seconds: number): Unit | undefined {
  return units.find((unit) => unitSeconds[unit] === seconds);
}
