import type { Change, Key, SessionId } from '../model/index.ts';
import type { Draft } from './drafts.ts';
import type { Graph } from './graph.ts';
import { electId, type Home, hasRecords, homeOfSubagent } from './name-sessions.ts';
import type { Component } from './nodes.ts';
import { idOf } from './publish-record.ts';

interface NamedChanges extends Pick<Change, 'added' | 'changed' | 'removed'> {
  /** Those that were added, in the same order. */
  readonly drafts: readonly Draft[];
  readonly ofSubagents: boolean;
}

/** Which records appeared, changed or vanished. A record that got another id vanished and appeared. */
export function nameChanges(graph: Graph): NamedChanges {
  const drafts: Draft[] = [];
  const added: Key[] = [];
  const changed: Key[] = [];
  const removed: Key[] = [];
  let ofSubagents = false;
  for (const draft of graph.touched) {
    const id = draft.alive ? idOf(draft.head) : null;
    // Also one that only changed: with a copy of a line the record may be another sub-agent's.
    if (draft.scope !== null) ofSubagents = true;
    if (draft.publishedId === id && id !== null) changed.push(id);
    else {
      if (draft.publishedId !== null) removed.push(draft.publishedId);
      if (id !== null) {
        added.push(id);
        drafts.push(draft);
      }
    }
    draft.publishedId = id;
  }
  return { added, drafts, changed, removed, ofSubagents };
}

/** Sessions read differently now when one of their files, or of their sub-agents, was touched. */
export function markSessions(graph: Graph, revision: number): Set<Component> {
  const components = new Set<Component>();
  const mark = (home: Home): void => {
    if (typeof home === 'string') return;
    home.revision = revision;
    components.add(home);
  };
  for (const file of graph.touchedFiles) {
    file.component.revision = revision;
    if (file.facts.role === 'session' || hasRecords(file.component)) components.add(file.component);
  }
  for (const id of graph.touchedSubagents) {
    for (const state of graph.subagents.get(id) ?? []) mark(homeOfSubagent(graph, state));
  }
  return components;
}

/** Sessions whose id changed, because an older file turned up or two turned out to be one. */
export function renameSessions(components: ReadonlySet<Component>): Change['merged'] {
  const merged = new Map<string, { from: SessionId; into: SessionId }>();
  for (const component of components) {
    const known = component.id;
    const id = electId(component);
    if (known === null || !known.startsWith(`${id}@`)) component.id = id;
    for (const file of component.files) {
      if (file.session !== null && file.session !== id)
        merged.set(`${file.session} ${id}`, { from: file.session, into: id });
      file.session = id;
    }
  }
  return [...merged.values()];
}
