import type { ConfigIssue, IssueSeverity } from '../rules/issue.ts';

/** An issue about a file or a directory as a whole. */
export function fileIssue(severity: IssueSeverity, code: string, file: string, message: string): ConfigIssue {
  return { severity, code, file, line: 0, column: 0, message };
}

/** Why a path can't be read, in words for the person who put it there. */
export function unreadable(path: string, error: unknown): ConfigIssue {
  const code = errorCode(error);
  return fileIssue('error', 'unreadable', path, `it can't be read: ${reasons[code] ?? code}`);
}

/** The name of a system error, such as `ENOENT`. Anything else is a fault of the program and goes on as it is. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is nothing at this path',
  EACCES: 'the permission is missing',
  EPERM: 'the permission is missing',
  ELOOP: 'its symbolic links lead in a circle',
  ENOTDIR: 'a part of the path is not a directory',
  EMFILE: 'the process has too many files open',
};
