/** The type of the resources that hold rules. */
export const resourceType = 'type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig';
