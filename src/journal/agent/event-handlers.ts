import type { ResultOf, SessionEvent, SessionEventHandler, SessionEventType } from './events.ts';
import type { ExtensionCommandContext } from './extension-context.ts';

/** A handler that threw. What it was asked about goes on without it. */
export interface HandlerFailure {
  readonly event: SessionEventType;
  readonly error: unknown;
}

/** Who listens to what, in the order they came. */
export class EventHandlers {
  readonly #byType = new Map<SessionEventType, unknown[]>();
  readonly #report: (failure: HandlerFailure) => void;

  constructor(report: (failure: HandlerFailure) => void) {
    this.#report = report;
  }

  /** Gives the way to take it off again. */
  on<T extends SessionEventType>(type: T, handler: SessionEventHandler<T>): () => void {
    this.#byType.set(type, [...this.#of(type), handler]);
    let isOn = true;
    return () => {
      if (!isOn) return;
      isOn = false;
      const handlers = this.#of(type);
      const at = handlers.indexOf(handler);
      this.#byType.set(type, [...handlers.slice(0, at), ...handlers.slice(at + 1)]);
    };
  }

  /** One after the other. The last answer counts, whole; after one that cancels nobody else is asked. */
  async emit<E extends SessionEvent>(event: E, context: ExtensionCommandContext): Promise<ResultOf<E> | undefined> {
    let last: ResultOf<E> | undefined;
    for (const handler of this.#of<E['type']>(event.type)) {
      try {
        const answer = await handler(event, context);
        if (typeof answer !== 'object' || answer === null) continue;
        last = answer;
        if ('cancel' in answer && answer.cancel) return answer;
      } catch (error) {
        this.#tell({ event: event.type, error });
      }
    }
    return last;
  }

  #of<T extends SessionEventType>(type: T): readonly SessionEventHandler<T>[] {
    return (this.#byType.get(type) ?? []) as SessionEventHandler<T>[];
  }

  #tell(failure: HandlerFailure): void {
    try {
      this.#report(failure);
    } catch {
      // Who cannot even be told must not stop the session.
    }
  }
}

/** Where nobody said what to do with it. */
export function warnOfFailure({ event, error }: HandlerFailure): void {
  const message = error instanceof Error ? error.message : String(error);
  process.emitWarning(`A handler of ${event} failed and was passed over: ${message}`);
}
