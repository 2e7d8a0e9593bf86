import type { Json } from '../domain/decision.ts';
import type { Quota, RateLimitResponse, SecondsAndNanos, Struct, Value } from './rate-limit-response.ts';

/**
 * A response in protobuf's JSON form ("ProtoJSON format"), as `/json` gives it: default values left out, octets in
 * base64, durations as `12s`, a Struct as the object that it stands for.
 */
export function responseJson(response: RateLimitResponse): string {
  const { statuses, quota, dynamicMetadata } = response;
  return JSON.stringify({
    ...response,
    ...(statuses && {
      statuses: statuses.map(({ durationUntilReset: reset, ...status }) => ({
        ...status,
        ...(reset && { durationUntilReset: durationText(reset) }),
        ...(status.quota && { quota: quotaJson(status.quota) }),
      })),
    }),
    ...(dynamicMetadata && { dynamicMetadata: structJson(dynamicMetadata) }),
    ...(quota && { quota: quotaJson(quota) }),
  });
}

function quotaJson({ validUntil, ...quota }: Quota): object {
  return { ...quota, ...(validUntil && { validUntil: timestampText(validUntil) }) };
}

function durationText({ seconds = '0', nanos = 0 }: SecondsAndNanos): string {
  const sign = nanos < 0 && seconds === '0' ? '-' : '';
  return `${sign}${seconds}${fractionText(Math.abs(nanos))}s`;
}

/** RFC 3339. */
function timestampText({ seconds = '0', nanos = 0 }: SecondsAndNanos): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().replace(/\.000Z$/, '');
  return `${whole}${fractionText(nanos)}Z`;
}

/** Three, six or nine digits, as many as are needed. */
function fractionText(nanos: number): string {
  return nanos === 0
    ? ''
    : `.${String(nanos)
        .padStart(9, '0')
        .replace(/(000){1,2}$/, '')}`;
}

function structJson({ fields = {} }: Struct): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueJson(value)]));
}

function valueJson(value: Value): Json {
  const { structValue, listValue, numberValue } = value;
  if (structValue !== undefined) return structJson(structValue);
  if (listValue !== undefined) return (listValue.values ?? []).map(valueJson);
  // JSON has no infinity.
  if (numberValue !== undefined) return Number.isFinite(numberValue) ? numberValue : String(numberValue);
  return value.stringValue ?? value.boolValue ?? null;
}
