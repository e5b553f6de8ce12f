import type { Session } from '../history/index.ts';
import type { ReadText } from '../selector/index.ts';
import { annotationRow, recordRow } from '../views/text/row-text.ts';

/** What rows of a session say, read from its files. */
export function readRows(session: Session): ReadText {
  return ({ record, annotation }) => {
    if (annotation) return annotationRow(annotation, session.annotation(annotation));
    if (!record) return { role: '', text: '', calls: [], isSaid: false, isError: false };
    const { own, replies } = session.content(record, { results: false });
    return recordRow(record, [...own, ...replies]);
  };
}
