/** "gRPC over HTTP/2", Timeout: 1 to 8 digits and a unit. */
const form = /^(\d{1,8})([HMSmun])$/;

const unitMs: Readonly<Record<string, number>> = Object.freeze({
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
});

/** The time of a `grpc-timeout` field in ms; Infinity where there is none. @returns undefined when it has not the form */
export function parseTimeout(value: string): number | undefined {
  if (value === '') return Number.POSITIVE_INFINITY;
  const [, digits, unit] = form.exec(value) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  return Number(digits) * (unitMs[unit] as number);
}
