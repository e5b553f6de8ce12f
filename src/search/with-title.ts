/** The text of a session's first message together with its title. NULs stand between them, so that no phrase begins in one and ends in the other. */
export const withTitle = (text: string, title: string | null): string =>
  title === null ? text : `${text}${BETWEEN}${title}`;

export const withoutTitle = (text: string): string => text.split(BETWEEN, 1)[0] ?? '';

/** As it is shown. */
export const plainTitled = (text: string): string => text.replace(BETWEEN, '\n');

const BETWEEN = '\n\u0000\u0000\n';
