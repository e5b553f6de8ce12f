export type Severity = 'error' | 'warning' | 'note';

export type WarningType =
  | 'unparsable_line'
  | 'bad_encoding'
  | 'line_too_long'
  | 'torn_last_line'
  | 'unknown_record_type'
  | 'unexpected_attributes'
  | 'unexpected_content_shape'
  | 'missing_required_field'
  | 'duplicate_uuid'
  | 'orphaned_record'
  | 'multiple_roots'
  | 'parent_cycle'
  | 'unreadable_file';

/** Found while reading one line; a warning never stops the reading and never moves a line into another bucket. */
export interface Warning {
  readonly type: WarningType;
  /** Names the thing, for example `user.message.foo`: warnings of one file with the same type, detail and version are counted as one. */
  readonly detail: string;
  readonly message: string;
}

/** What `check` prints: equal warnings of one file counted, with the first place. */
export interface Finding {
  readonly rule: string;
  /** Of a warning, or the name of a rule for extracted messages. */
  readonly type: WarningType | (string & {});
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  readonly line: number | null;
  readonly uuid: string | null;
  readonly version: string | null;
  readonly count: number;
}

const SEVERITY: Readonly<Record<WarningType, Severity>> = {
  unreadable_file: 'warning',
  unparsable_line: 'warning',
  bad_encoding: 'warning',
  line_too_long: 'warning',
  duplicate_uuid: 'warning',
  orphaned_record: 'warning',
  parent_cycle: 'warning',
  multiple_roots: 'note',
  torn_last_line: 'note',
  unknown_record_type: 'warning',
  unexpected_attributes: 'note',
  unexpected_content_shape: 'warning',
  missing_required_field: 'warning',
};

const RULE: Readonly<Partial<Record<WarningType, string>>> = {
  duplicate_uuid: 'H9',
  orphaned_record: 'H11',
  multiple_roots: 'H11',
  parent_cycle: 'H11',
  bad_encoding: 'H19',
  line_too_long: 'H19',
  unreadable_file: 'H19',
};

export const severityOf = (type: WarningType): Severity => SEVERITY[type];
export const ruleOf = (type: WarningType): string => RULE[type] ?? 'H18';
