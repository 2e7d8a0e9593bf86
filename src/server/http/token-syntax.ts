/** What a token must be, to be sent as `Authorization: Bearer ...` (RFC 6750, section 2.1) and not to be found by trying. */
export const tokenSyntax = '16 characters or more, of letters, digits and -._~+/, with = at the end only';

export function isToken(text: string): boolean {
  return text.length >= 16 && /^[A-Za-z0-9._~+/-]+=*$/.test(text);
}
