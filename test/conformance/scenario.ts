import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../src/domain/decision.ts';

/** Configurations, requests and answers; `data/README.md` describes the formats. */
export const dataDirectory = fileURLToPath(new URL('data/', import.meta.url));

/** One way to start the service, and what it must answer then. */
export interface Profile {
  readonly name: string;
  readonly what: string;
  /** Settings, in the reference's names. */
  readonly env: Readonly<Record<string, string>>;
  readonly rulesDirectory: string;
  readonly files: readonly ScenarioFile[];
}

export interface ScenarioFile {
  readonly file: string;
  readonly scenarios: readonly Scenario[];
}

/** Steps that are taken in order and share a domain. */
export interface Scenario {
  readonly name: string;
  readonly shows: string;
  readonly steps: readonly Step[];
}

/** One call and its answer. Exactly one of the first six fields is there. */
export interface Step {
  /** A RateLimitRequest as proto3 JSON. */
  readonly grpc?: Json;
  /** A RateLimitRequest as base64 of its octets. */
  readonly raw?: string;
  readonly http?: HttpStep;
  /** A service's name for `grpc.health.v1`. */
  readonly health?: string;
  /** The series that contain this text. */
  readonly metrics?: string;
  /** Seconds to wait. */
  readonly wait?: number;

  readonly repeat?: number;
  /** What the reference answered. */
  readonly expect?: Json;
  /** What Weir must answer, where it differs on purpose. */
  readonly weir?: Json;
}

export interface HttpStep {
  readonly on?: 'http' | 'debug';
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** The answer is the sorted lines that begin so. */
  readonly lines?: string;
  /** The answer is the status alone. */
  readonly only?: 'status';
}

/** Every profile of the data, with all of its scenarios. */
export function readProfiles(): Profile[] {
  return readdirSync(dataDirectory, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && readdirSync(join(dataDirectory, entry.name)).includes('profile.json'),
    )
    .map((entry) => readProfile(join(dataDirectory, entry.name)));
}

function readProfile(directory: string): Profile {
  const scenarios = readdirSync(join(directory, 'scenarios')).map((name) => join('scenarios', name));
  const differs = readdirSync(directory).filter((name) => name === 'differs.json');
  return {
    ...(readJson(join(directory, 'profile.json')) as Pick<Profile, 'name' | 'what' | 'env'>),
    rulesDirectory: join(directory, 'config'),
    files: [...scenarios, ...differs].map((file) => ({
      file,
      scenarios: readJson(join(directory, file)) as Scenario[],
    })),
  };
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
