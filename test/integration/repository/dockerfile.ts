import { readText } from './repository.ts';

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  /** What it is made from. */
  readonly from: string;
  /** undefined: the last one, which is the image. */
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The instructions of the Dockerfile, a continued line as one, without comments. */
export function readInstructions(): readonly Instruction[] {
  return readText('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      return { name, rest: rest.join(' ') };
    });
}

export function readStages(): readonly Stage[] {
  const all = readInstructions();
  const starts = all.flatMap(({ name }, at) => (name === 'FROM' ? [at] : []));
  return starts.map((start, i) => {
    const [from = '', name] = (all[start]?.rest ?? '').split(' AS ');
    return { from, name, instructions: all.slice(start + 1, starts[i + 1]) };
  });
}
