import type { ConfigIssue } from './issue.ts';
import type { DomainOptions, RulesDocument } from './rules-document.ts';

/** How the language calls each. */
const names: Readonly<Record<keyof DomainOptions, string>> = {
  failurePolicy: 'failure_policy',
  refunds: 'refunds',
  sensitive: 'sensitive',
  clients: 'clients',
};

/** What the files of a domain say of it together. One of them is enough; where two contradict each other it is an error. */
export function mergeDomainOptions(
  documents: readonly RulesDocument[],
  issues: ConfigIssue[],
): DomainOptions {
  const options = documents.map((document) => document.options);
  for (const option of Object.keys(names) as (keyof DomainOptions)[]) {
    const saying = documents.filter((document) => document.options[option] !== undefined);
    const [first, ...others] = saying;
    const contrary = others.find((other) => textOf(other, option) !== textOf(first, option));
    if (first !== undefined && contrary !== undefined) {
      issues.push(contradiction(names[option], contrary, first));
    }
  }
  return Object.freeze({
    failurePolicy: options.find(({ failurePolicy }) => failurePolicy !== undefined)?.failurePolicy,
    refunds: options.find(({ refunds }) => refunds !== undefined)?.refunds,
    sensitive: options.find(({ sensitive }) => sensitive !== undefined)?.sensitive,
    clients: options.find(({ clients }) => clients !== undefined)?.clients,
  });
}

function textOf(document: RulesDocument | undefined, option: keyof DomainOptions): string {
  return JSON.stringify(document?.options[option]);
}

function contradiction(name: string, second: RulesDocument, first: RulesDocument): ConfigIssue {
  return {
    severity: 'error',
    code: 'contradicting-option',
    file: second.file,
    ...second.at,
    message: `'${name}' of domain '${second.domain}' is another one in ${first.file}; one file is enough`,
  };
}
