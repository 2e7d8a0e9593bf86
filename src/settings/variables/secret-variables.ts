import { hidden, showHidden } from '../secret.ts';
import { map, text } from '../value-type.ts';
import { honoured, honouredSecret, type Variable } from '../variable.ts';

/** Headers as name:value,name:value. Names may be seen, values may be tokens. */
export function secretHeaders(meaning: string, reason = ''): Variable<ReadonlyMap<string, string>> {
  return {
    ...honoured(map, new Map<string, string>(), meaning, { reason }),
    show: (value) => [...value.keys()].map((name) => `${name}:${hidden}`).join(','),
    secret: true,
  };
}

/** A token that goes into a header. */
export function secretToken(meaning: string, reason: string): Variable<string> {
  return honouredSecret('', meaning, showHidden, { reason });
}

/** The file that a secret may be in instead. The value is printed, and a secret that got into the wrong variable must not be. */
export function secretFile(meaning: string): Variable<string> {
  return honoured(text, '', meaning, {
    reason: 'Secrets are often mounted as files.',
    refuses: (path) =>
      /^\.{0,2}\//.test(path)
        ? undefined
        : 'it must be a path that begins with / or ./, as of /run/secrets/token.',
  });
}

/** The three files of TLS with a server. @param whose as in "the server of the URLs" */
export function tlsFile(part: 'authority' | 'certificate' | 'key', whose: string): Variable<string> {
  const meaning = {
    authority: `File with the authorities of the certificate of ${whose} (PEM); the well-known ones unless set.`,
    certificate: `File with our certificate, where ${whose} asks for one (PEM).`,
    key: 'File with its key (PEM).',
  }[part];
  return honoured(text, '', meaning, { reason: 'Read again at each connection.' });
}
