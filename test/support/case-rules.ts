/** Configurations that several cases share. */

export const baseRules = `
domain: shop
descriptors:
  - key: plan
    value: free
    rate_limit: {unit: minute, requests_per_unit: 5}
  - key: ip
    rate_limit: {unit: minute, requests_per_unit: 3}
`;

export const countingRules = `
domain: shop
descriptors:
  - {key: one,     rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: three,   rate_limit: {unit: hour,   requests_per_unit: 3}}
  - {key: four,    rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: five,    rate_limit: {unit: minute, requests_per_unit: 5}}
  - {key: sec,     rate_limit: {unit: second, requests_per_unit: 1}}
  - {key: group,   rate_limit: {unit: minute, requests_per_unit: 10}}
  - {key: special, rate_limit: {unit: minute, requests_per_unit: 3}}
`;

export const headerRules = `
domain: shop
descriptors:
  - {key: a, rate_limit: {unit: minute, requests_per_unit: 60}}
  - {key: b, rate_limit: {unit: hour,   requests_per_unit: 3}}
  - {key: m, rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: d, rate_limit: {unit: day,    requests_per_unit: 1}}
  - {key: trial, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: real,  rate_limit: {unit: minute, requests_per_unit: 100}}
  - {key: dry, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 2}}
  - {key: burst,  rate_limit: {name: burst,  unit: second, requests_per_unit: 10}}
  - {key: steady, rate_limit: {name: steady, unit: minute, requests_per_unit: 1000}}
`;

export const quotaRules = `
domain: shop
descriptors:
  - {key: model, value: m1, quota_mode: true, metadata: {route: pool1}, rate_limit: {unit: hour, requests_per_unit: 2}}
  - {key: model, value: m2, quota_mode: true, metadata: {route: pool2}, rate_limit: {unit: hour, requests_per_unit: 3}}
  - {key: budget, rate_limit: {unit: hour, requests_per_unit: 1000}}
`;

export const replacingRules = `
domain: shop
descriptors:
  - key: area
    value: read
    descriptors: [{key: user, rate_limit: {name: area_cap, unit: second, requests_per_unit: 5}}]
  - key: page
    value: hot
    descriptors: [{key: user, rate_limit: {unit: second, requests_per_unit: 10, replaces: [{name: area_cap}]}}]
`;

export const sharingRules = `
domain: shop
descriptors:
  - {key: file, value: docs/*, share_threshold: true, rate_limit: {unit: hour, requests_per_unit: 3}}
  - key: tenant
    value: t*
    share_threshold: true
    descriptors: [{key: op, rate_limit: {unit: minute, requests_per_unit: 2}}]
`;
