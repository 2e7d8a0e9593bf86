/** A RateLimitResponse as proto-loader gives it: what the message does not hold is missing, enums are names. */
export interface RateLimitResponse {
  readonly overallCode?: string;
  readonly statuses?: readonly DescriptorStatus[];
  readonly responseHeadersToAdd?: readonly HeaderValue[];
  readonly requestHeadersToAdd?: readonly HeaderValue[];
  /** In base64. */
  readonly rawBody?: string;
  readonly dynamicMetadata?: Struct;
  readonly quota?: Quota;
}

export interface DescriptorStatus {
  readonly code?: string;
  readonly currentLimit?: {
    readonly requestsPerUnit?: number;
    readonly unit?: string;
    readonly name?: string;
  };
  readonly limitRemaining?: number;
  readonly durationUntilReset?: SecondsAndNanos;
  readonly quota?: Quota;
}

export interface HeaderValue {
  readonly key?: string;
  readonly value?: string;
  /** In base64. */
  readonly rawValue?: string;
}

export interface Quota {
  readonly requests?: number;
  readonly validUntil?: SecondsAndNanos;
  readonly id?: string;
}

/** google.protobuf.Duration, or Timestamp. */
export interface SecondsAndNanos {
  readonly seconds?: string;
  readonly nanos?: number;
}

/** google.protobuf.Struct. */
export interface Struct {
  readonly fields?: Readonly<Record<string, Value>>;
}

/** google.protobuf.Value: one of these is there. */
export interface Value {
  readonly nullValue?: string;
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: Struct;
  readonly listValue?: { readonly values?: readonly Value[] };
}
