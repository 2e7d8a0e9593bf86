const maxShown = 60;

/** A text of a file for a message: its beginning, on one line. */
export function shorten(text: string): string {
  const start = text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
  return onOneLine(start);
}

/** Without what could end a line or move the cursor of whoever reads it. */
export function onOneLine(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
