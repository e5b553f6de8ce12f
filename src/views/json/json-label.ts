import { isoTime, type Json } from './json-record.ts';

/** What somebody called a record, and when. */
export interface Label {
  readonly text: string;
  readonly time: number | null;
}

/** Only where there is one. */
export const jsonLabel = (label: Label | undefined): Json =>
  label ? { label: label.text, labeled_at: isoTime(label.time) } : {};
