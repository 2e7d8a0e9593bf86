import { InvalidArgumentError } from 'commander';
import { maxUint32 } from '../domain/limit.ts';
import { units } from '../domain/unit.ts';

/** A limit as a descriptor of a request has it. */
export interface LimitArgument {
  readonly requestsPerUnit: number;
  readonly unit: string;
}

/** Reads a limit as it is written on the command line: `5/minute`. */
export function limitArgument(text: string): LimitArgument {
  const [, number = '', unit = ''] = /^(\d{1,10})\/(\w+)$/.exec(text) ?? [];
  const requestsPerUnit = Number(number);
  const known = units.find((one) => one === unit.toUpperCase());
  if (number === '' || known === undefined || requestsPerUnit > maxUint32) {
    throw new InvalidArgumentError(
      `write a number, a slash and a unit: 5/minute (${units.join(', ').toLowerCase()})`,
    );
  }
  return { requestsPerUnit, unit: known };
}
