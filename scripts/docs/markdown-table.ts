/** A Markdown table. Cells are Markdown; a bar in one is escaped, and a line break becomes a space. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
