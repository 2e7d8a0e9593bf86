import { readFile, realpath } from 'node:fs/promises';
import type { ConfigIssue } from '../rules/issue.ts';
import { fileIssue } from './file-issue.ts';

/**
 * Files that are mounts of their own, as Kubernetes' `subPath` makes them. Such a mount stays with the file that was there
 * when the container began: a ConfigMap's update never arrives.
 * @param mounts the text of Linux' `/proc/<pid>/mountinfo` (proc_pid_mountinfo(5))
 */
export async function mountedFiles(files: readonly string[], mounts: string): Promise<ConfigIssue[]> {
  const points = mountPoints(mounts);
  const issues: ConfigIssue[] = [];
  for (const file of files) {
    const real = await realpath(file).catch(() => file);
    if (points.has(real)) issues.push(fileIssue('lint', 'file-is-mount', file, message));
  }
  return issues;
}

const message =
  'it is mounted as a single file (Kubernetes: subPath), so a new version of it may never arrive; ' +
  'mount its directory instead';

/** The mounts that this process sees; none on systems that do not tell. */
export async function ownMounts(): Promise<string> {
  return readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
}

/** The fifth field of each line; space, tab, line end and backslash in it are octal. */
function mountPoints(mounts: string): Set<string> {
  const points = mounts.split('\n').map((line) => line.split(' ')[4] ?? '');
  return new Set(points.map((point) => point.replace(/\\([0-7]{3})/g, (_, octal) => octalCharacter(octal))));
}

function octalCharacter(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8));
}
