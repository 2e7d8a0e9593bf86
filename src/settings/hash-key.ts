/** What is shorter can be tried out, and with it every value that was hashed. */
export const minHashKeyLength = 16;

/** Why a text is no key; undefined for a good one. */
export function refuseHashKey(text: string): string | undefined {
  return text.length < minHashKeyLength
    ? `it must have at least ${minHashKeyLength} characters, such as the output of \`openssl rand -base64 32\`.`
    : undefined;
}
