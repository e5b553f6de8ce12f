export type ErrorCode =
  | 'not_found'
  | 'ambiguous'
  | 'bad_input'
  | 'unreadable'
  | 'check_failed'
  | 'busy'
  | 'unwritable'
  | 'damaged'
  | 'no_answer'
  | 'aborted';

/** Everything Skein throws on purpose: a message a user can act on. Bad log content is a `Warning`, never an error. */
export class SkeinError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SkeinError';
    this.code = code;
  }
}
