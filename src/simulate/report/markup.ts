/** A piece of HTML or SVG, in which every text is escaped. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** Makes HTML of a template: what is put in is text, and escaped, unless it is markup already. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = fixed[0] ?? '';
  for (let index = 0; index < parts.length; index++) {
    markup += textOf(parts[index] as Part) + (fixed[index + 1] ?? '');
  }
  return { markup };
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '');
  if (typeof part === 'number') return String(part);
  return isMarkup(part) ? part.markup : part.map(({ markup }) => markup).join('');
}

function isMarkup(part: Markup | readonly Markup[]): part is Markup {
  return 'markup' in part;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
