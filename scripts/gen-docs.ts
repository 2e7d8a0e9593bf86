import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartValuesTable } from './docs/chart-values-table.ts';
import { redisErrorTable, statusTable } from './docs/errors-table.ts';
import { replaceSection } from './docs/replace-section.ts';
import { migrationTable, ownSettingsTable, referenceSettingsTable } from './docs/settings-table.ts';

/** The pages that hold generated sections: by file, as seen from docs/, each section's name and what makes it. */
export const generatedPages: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'settings.md': {
    'reference settings': referenceSettingsTable,
    'own settings': ownSettingsTable,
  },
  'migrate.md': { migration: migrationTable },
  'errors.md': {
    answers: statusTable,
    'redis errors': redisErrorTable,
  },
  '../k8s/chart/README.md': {
    values: () => chartValuesTable(readPage('../k8s/chart/values.yaml')),
  },
};

const docs = new URL('../docs/', import.meta.url);

export function readPage(file: string): string {
  return readFileSync(new URL(file, docs), 'utf8');
}

/** A page as it should be: its own text with every generated section made anew. */
export function generatePage(file: string): string {
  const sections = Object.entries(generatedPages[file] ?? {});
  return sections.reduce((page, [name, make]) => replaceSection(page, name, make()), readPage(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of Object.keys(generatedPages)) writeFileSync(new URL(file, docs), generatePage(file));
}
