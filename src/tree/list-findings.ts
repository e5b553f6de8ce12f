import { type Finding, type Key, ruleOf, severityOf, type WarningType } from '../model/index.ts';
import { arrange } from './arrange-threads.ts';
import type { Draft } from './drafts.ts';
import type { Graph } from './graph.ts';
import { compareSpots, type FileState, type Node } from './nodes.ts';
import { idOf } from './publish-record.ts';
import { claimNamed, claimsOn } from './slots.ts';

/** What is odd about the files: what their lines said while being read, and what only shows when all of them are known. */
export function listFindings(graph: Graph, files: ReadonlySet<FileState>): Finding[] {
  const findings: Finding[] = [];
  for (const file of files) {
    for (const { warning, line, key, version, count } of file.warnings.values()) {
      findings.push(finding(warning.type, warning.message, file, line, key, version, count));
    }
    orphans(file, findings);
    roots(file, findings);
  }
  for (const slot of graph.conflicts) duplicates(claimsOn(slot), files, findings);
  for (const cycle of graph.cycles) {
    const cut = cycle.find((draft) => draft.more?.cut);
    if (cut && files.has(cut.head.spot.file))
      findings.push(
        at(
          cut.head,
          'parent_cycle',
          cycle.length === 1
            ? 'Record is its own parent'
            : `Parents of ${cycle.length} records form a circle; it is opened here`,
        ),
      );
  }
  return findings.sort((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1));
}

function finding(
  type: WarningType,
  message: string,
  file: FileState,
  line: number | null,
  uuid: string | null,
  version: string | null,
  count: number,
): Finding {
  return {
    rule: ruleOf(type),
    type,
    severity: severityOf(type),
    message,
    file: file.facts.path,
    line,
    uuid,
    version,
    count,
  };
}

const at = (node: Node, type: WarningType, message: string): Finding =>
  finding(type, message, node.spot.file, node.spot.lineNumber, idOf(node), node.spot.env.version, 1);

function orphans({ spots }: FileState, findings: Finding[]): void {
  for (const spot of spots) {
    const draft = spot.node?.draft;
    if (draft?.alive && draft.parent === null && draft.head.spot === spot) orphan(draft, findings);
  }
}

function orphan(draft: Draft, findings: Finding[]): void {
  const parent = missingParent(draft);
  if (parent !== null)
    findings.push(at(draft.head, 'orphaned_record', `Record references a parent that is nowhere: ${parent}`));
}

/** What a record that hangs on nothing names as its parent. */
export function missingParent({ head }: Draft): Key | null {
  let node = head;
  for (let steps = 0; node.target && node.target.draft === null && steps < 10_000; steps++) node = node.target;
  const slot = node.target ? null : node.parentSlot;
  return slot && !slot.first ? slot.key : null;
}

/** Several beginnings in one file. A format that stores branches has them by design. */
function roots(file: FileState, findings: Finding[]): void {
  if (file.facts.branches === 'stored' || file.roots.size < 2) return;
  const found = arrange(file.component)
    .roots.map(({ head }) => head)
    .filter((node) => node.spot.file === file && node.parentSlot === null);
  const first = found[1];
  if (!first) return;
  const named = found.slice(0, 3).map(idOf).join(', ');
  findings.push(
    at(
      first,
      'multiple_roots',
      `${found.length} records begin a conversation: ${named}${found.length > 3 ? ', …' : ''}`,
    ),
  );
}

function duplicates(nodes: readonly Node[], files: ReadonlySet<FileState>, findings: Finding[]): void {
  const [first, ...others] = [...nodes].sort((a, b) => compareSpots(a.spot, b.spot));
  if (!first) return;
  const seen = new Set([first.spot.digest]);
  for (const node of others) {
    // What only says that it is a copy has an id of its own.
    if (claimNamed(node.slot, node.spot.key) === node) continue;
    if (seen.has(node.spot.digest)) continue;
    seen.add(node.spot.digest);
    if (!files.has(node.spot.file)) continue;
    const place = `${first.spot.file.facts.path}:${first.spot.lineNumber}`;
    findings.push(
      at(node, 'duplicate_uuid', `The id ${node.spot.key} stands for something else in ${place}; both are kept`),
    );
  }
}
