import { buildTree, type SessionTreeNode } from './build-tree.ts';
import { contextOfPath, projectPath, type SessionContext, type SessionProjection, selectEntries } from './context.ts';
import type { SessionEntry, SessionHeader } from './entries.ts';
import { EntryIndex } from './entry-index.ts';
import type { JournalFinding } from './findings.ts';
import { sessionName } from './session-name.ts';

/** What can be asked of a session: an append-only tree of entries, and a leaf in it where the next one will hang. */
export class ReadableSession {
  protected header: SessionHeader | null = null;
  /** The title before the header, as oh-my-pi keeps one; undefined: there is none. */
  protected titleSlot: unknown;
  protected index = new EntryIndex();
  protected leafId: string | null = null;
  protected findings: readonly JournalFinding[] = [];

  getHeader(): SessionHeader | null {
    return this.header;
  }

  getEntries(): SessionEntry[] {
    return this.index.entries.slice();
  }

  getEntry(id: string): SessionEntry | undefined {
    return this.index.get(id);
  }

  getLeafId(): string | null {
    return this.leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.leafId === null ? undefined : this.index.get(this.leafId);
  }

  /** From the root down to this entry, or to the leaf. */
  getBranch(fromId?: string): SessionEntry[] {
    return this.index.path(fromId ?? this.leafId);
  }

  /** In the order of the file; of null: the roots. */
  getChildren(parentId: string | null): SessionEntry[] {
    return [...this.index.children(parentId)];
  }

  getTree(): SessionTreeNode[] {
    return buildTree(this.index);
  }

  getLabel(id: string): string | undefined {
    return this.index.labels.get(id)?.label;
  }

  /** The last name given, on whatever branch; an empty one took it away. */
  getSessionName(): string | undefined {
    return sessionName({ slot: this.titleSlot, header: this.header, last: (test) => this.index.lastOther(test) });
  }

  /** What was odd when the session was opened. */
  getFindings(): readonly JournalFinding[] {
    return this.findings;
  }

  buildContextEntries(): SessionEntry[] {
    return [...selectEntries(this.getBranch())];
  }

  buildSessionProjection(): SessionProjection {
    return projectPath(this.getBranch());
  }

  buildSessionContext(): SessionContext {
    return contextOfPath(this.getBranch());
  }
}
