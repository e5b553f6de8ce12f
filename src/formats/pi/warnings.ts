import type { Warning } from '../../model/index.ts';

/** Names come from the file: they are cut, so that equal ones can be counted and a message stays one line. */
const NAME = 120;

export const missing = (field: string): Warning => ({
  type: 'missing_required_field',
  detail: field,
  message: `Entry without ${field}`,
});

export const unknownType = (type: string): Warning => ({
  type: 'unknown_record_type',
  detail: type.slice(0, NAME),
  message: `Unknown type of entry: ${type.slice(0, NAME)}`,
});

export const oddContent = (path: string): Warning => ({
  type: 'unexpected_content_shape',
  detail: path.slice(0, NAME),
  message: `Unexpected content: ${path.slice(0, NAME)}`,
});

export const NO_HEADER: Warning = {
  type: 'missing_required_field',
  detail: 'session',
  message: 'There is no session header before the first entry; the session is named after the file',
};

export const tooLong = (bytes: number): Warning => ({
  type: 'line_too_long',
  detail: 'long',
  message: `Line of ${bytes} bytes is too long, or holds too many values, to be read whole; its long values are shortened`,
});
