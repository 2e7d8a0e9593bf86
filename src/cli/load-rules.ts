import { readRulesDirectory } from '../config/read-directory.ts';
import { createKeyedHash } from '../domain/keyed-hash.ts';
import { type CompileResult, compileRules } from '../rules/compile.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import type { RulesSettings } from '../settings/settings.ts';

export interface LoadedRules {
  readonly documents: readonly RulesDocument[];
  readonly ruleSet: CompileResult['ruleSet'];
  /** From reading, parsing and compiling. */
  readonly issues: readonly ConfigIssue[];
}

/** In place of the secret, which has no business where rules are only looked at: no hash of it gets out. */
const standIn = Buffer.from('no secret, and nothing is counted');

/**
 * Reads and compiles rules as the server does, once, without the swap.
 * @param hashSecret for sensitive values, where hashes of them are shown
 */
export async function loadRules(
  path: string,
  options: Pick<RulesSettings, 'ignoreDotFiles' | 'mergeDomains' | 'sensitive'>,
  hashSecret: Buffer = standIn,
): Promise<LoadedRules> {
  const { mergeDomains } = options;
  const { documents, issues, version } = await readRulesDirectory(path, options);
  const sensitive = {
    everywhere: options.sensitive.everywhere,
    keyedHash: createKeyedHash(hashSecret),
  };
  const compiled = compileRules(documents, { mergeDomains, keyPrefix: '', version, sensitive });
  return { documents, ruleSet: compiled.ruleSet, issues: [...issues, ...compiled.issues] };
}

/** An issue on one line, as compilers print them: editors turn it into a link. */
export function printIssue({ file, line, column, severity, code, message }: ConfigIssue): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  return `${place}: ${severity}: ${message} [${code}]`;
}
