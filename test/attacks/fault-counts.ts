/** Faults that were counted, such as `connection rapid-reset`, and how often. */
export type Faults = Readonly<Record<string, number>>;

/** @param metrics the series of `/metrics` */
export function faultsOf(metrics: ReadonlyMap<string, number>): Faults {
  const faults: Record<string, number> = {};
  for (const [series, count] of metrics) {
    const [, what, fault] = /^weir_grpc_(\w+)_faults_total\{fault="([\w-]+)"\}$/.exec(series) ?? [];
    if (fault !== undefined) faults[`${what} ${fault}`] = count;
  }
  return faults;
}
