import type { NewSessionOptions, ReadonlySessionManager } from '../session-manager.ts';
import type { BranchResult } from './branch-session.ts';
import type { NavigateTreeOptions, NavigateTreeResult } from './navigate-tree.ts';

/**
 * What handlers are given beside the event. While something is being prepared (`session_before_…`, `session.compacting`) its methods are
 * refused: there is one change of the session at a time.
 */
export interface ExtensionCommandContext {
  readonly sessionManager: ReadonlySessionManager;
  branch(entryId: string): Promise<BranchResult>;
  navigateTree(targetId: string, options?: NavigateTreeOptions): Promise<NavigateTreeResult>;
  newSession(options?: NewSessionOptions): Promise<SwitchResult>;
  switchSession(sessionFile: string): Promise<SwitchResult>;
}

export interface SwitchResult {
  cancelled: boolean;
}
