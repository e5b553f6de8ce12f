import { isDeepStrictEqual } from 'node:util';
import { buildConversation, type SessionConversation, updateConversation } from '../../src/chat/index.ts';
import { buildContext, type ContextView, updateContext } from '../../src/context/index.ts';
import type { Logs, Project } from '../../src/history/index.ts';
import { buildMessages, type MessageList, updateMessages } from '../../src/messages/index.ts';
import { type Change, type ContentOf, type Key, type SessionId, SkeinError } from '../../src/model/index.ts';
import { buildOutline, type Outline, updateOutline } from '../../src/outline/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { must } from './verdict.ts';

/** One sort of projection: law 4 is that `update` gives what `build` gives. */
interface Projection<View> {
  build(tree: Tree, session: SessionId, thread: Key, content: ContentOf): View;
  update(view: View, tree: Tree, change: Change, content: ContentOf): View;
  /** Of those that show one: it may be called otherwise than it was. */
  threadOf?(view: View): Key | null;
}

const IDLE = { now: Date.UTC(2100, 0, 1) };
const FREE = () => null;

const chat: Projection<SessionConversation> = {
  build: (tree, session, thread, content) => buildConversation(tree, session, thread, content, IDLE),
  update: (view, tree, change, content) => updateConversation(view, tree, change, content, IDLE),
  threadOf: ({ threadId }) => threadId,
};
const context: Projection<ContextView> = {
  build: buildContext,
  update: updateContext,
  threadOf: ({ thread }) => thread,
};
const outline: Projection<Outline> = {
  build: (tree, session, _thread, content) => buildOutline(tree, session, content),
  update: updateOutline,
};
const messages: Projection<MessageList> = {
  build: (tree, session, _thread, content) => buildMessages(tree, session, content, FREE),
  update: (view, tree, change, content) => updateMessages(view, tree, change, content, FREE),
};

const PROJECTIONS = { chat, context, outline, messages } as unknown as Readonly<Record<string, Projection<object>>>;
const SESSIONS = 4;

interface Shown {
  readonly form: string;
  readonly session: SessionId;
  readonly thread: Key;
  readonly view: object;
}

/** The default threads of some sessions of a growing tree in every projection, each followed from the moment it appeared. */
export class Views {
  readonly #project: Project;
  readonly #logs: Logs;
  #shown: Shown[] = [];

  constructor(project: Project, logs: Logs) {
    this.#project = project;
    this.#logs = logs;
  }

  update(change: Change): void {
    const before = this.#shown;
    this.#shown = [];
    for (const shown of before) this.#updateOne(shown, change);
    const { tree } = this.#logs.read();
    for (const session of tree.sessionIds().slice(0, SESSIONS)) {
      const thread = tree.session(session).defaultThread;
      if (thread === null) continue;
      for (const [form, { build }] of Object.entries(PROJECTIONS)) {
        if (this.#shown.some((each) => each.form === form && each.session === session && each.thread === thread))
          continue;
        this.#shown.push({ form, session, thread, view: build(tree, session, thread, this.#content(session)) });
      }
    }
  }

  #updateOne({ form, session: from, thread, view }: Shown, change: Change): void {
    const { tree } = this.#logs.read();
    const { build, update, threadOf } = PROJECTIONS[form] as Projection<object>;
    const session = change.merged.find((each) => each.from === from)?.into ?? from;
    const updated = attempt(() => update(view, tree, change, this.#content(session)));
    const now = (updated && threadOf?.(updated)) ?? thread;
    const built = attempt(() => build(tree, session, now, this.#content(session)));
    must(isSame(updated, built), () => `an updated ${form} is another than one built anew`);
    if (updated) this.#shown.push({ form, session, thread: now, view: updated });
  }

  #content(session: SessionId): ContentOf {
    const found = this.#project.session(session);
    if (!found) throw new SkeinError('not_found', 'the session is gone');
    return (record) => found.content(record, { annotations: true });
  }
}

/** A session may vanish into another; then there is nothing to show. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof SkeinError) return null;
    throw error;
  }
}

/** Values nested deeper than can be compared count as the same. */
function isSame(a: unknown, b: unknown): boolean {
  try {
    return isDeepStrictEqual(a, b);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
