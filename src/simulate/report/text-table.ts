/** How wide a report is: that of a terminal which nobody has widened. */
export const lineWidth = 80;

/** A row of a table. */
export interface TextRow {
  readonly name: string;
  /** On lines of its own, below. */
  readonly note?: string;
  readonly cells: readonly string[];
}

/**
 * A table whose first column is as wide as the others leave room for. A name that does not fit has a line for itself, so
 * that nothing is cut off.
 */
export function textTable(
  [title = '', ...heads]: readonly string[],
  rows: readonly TextRow[],
): readonly string[] {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const room = lineWidth - widths.reduce((sum, width) => sum + width + 2, 0);
  const first = Math.min(Math.max(title.length, ...rows.map(({ name }) => name.length)), room);
  const numbers = (cells: readonly string[]) =>
    cells.map((cell, column) => `  ${cell.padStart(widths[column] ?? 0)}`).join('');
  return [{ name: title, cells: heads }, ...rows].flatMap(({ name, cells, note }: TextRow) => [
    ...(name.length <= first
      ? [name.padEnd(first) + numbers(cells)]
      : [name, ' '.repeat(first) + numbers(cells)]),
    ...(note === undefined ? [] : wrap(note, '  ')),
  ]);
}

/** Breaks a sentence at its blanks. @param indent of every line */
export function wrap(text: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line === '') line = indent + word;
    else if (line.length + 1 + word.length <= lineWidth) line += ` ${word}`;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}
