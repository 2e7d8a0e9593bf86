// Controls, formats such as the marks that turn the direction of writing, line and paragraph separators.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text of a caller, made fit for a log line: cut to a length, and without characters that a terminal or a log viewer
 * acts on, so that nobody can write lines of their own into the log.
 */
export function printable(text: string, maxLength = 200): string {
  const kept = text.length > maxLength ? text.slice(0, maxLength) : text;
  const escaped = kept.toWellFormed().replace(unprintable, escapeCharacter);
  return kept === text ? escaped : `${escaped}…`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
