import type { Finding } from '../../model/index.ts';
import { jsonWarning } from './json-lists.ts';
import type { Json } from './json-record.ts';
import { jsonText } from './json-text.ts';

/** A field that is there only when something could not be read. */
export const jsonWarnings = (findings: readonly Finding[]): Json =>
  findings.length > 0 ? { warnings: findings.map(jsonWarning) } : {};

/** The same at the end of an object that is written in pieces. */
export const endWithWarnings = (findings: readonly Finding[]): string =>
  findings.length > 0 ? `,\n"warnings":${jsonText(findings.map(jsonWarning))}}\n` : '}\n';
