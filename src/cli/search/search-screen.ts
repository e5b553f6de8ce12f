import type { Key } from 'node:readline';
import { SkeinError } from '../../model/index.ts';
import type { Hit, Search, SearchRequest } from '../../search/index.ts';
import { FrameWriter } from '../../terminal/frame-writer.ts';
import { listStreams } from '../../terminal/streams.ts';
import { paintFor } from '../../terminal/style.ts';
import { eraseCharacter, eraseWord } from '../../tui/edit-line.ts';
import { printableLine } from '../../views/text/printable.ts';
import { keyName, LEAVE, runScreen, type Screen, typedBy } from '../terminal-screen.ts';
import { drawSearch, FRAME_LINES, PREVIEW_HEAD } from './draw-search.ts';
import { moveBy, NOTHING_YET, type SearchState, setPage, showFound, showProblem, typeQuery } from './search-state.ts';

/** What a text means; null when it says nothing. */
type ReadQuery = (query: string) => Pick<SearchRequest, 'clause' | 'pattern'> | null;

/** Searches while somebody types; gives the hit they want to see, null when they leave. */
export async function searchOnScreen(search: Search, read: ReadQuery): Promise<Hit | null> {
  const streams = listStreams();
  return runScreen(new SearchScreen(search, read, streams.output), streams);
}

const LIMIT = 100;
const SNIPPET = 600;
/** A pause in typing that is worth a search. */
const PAUSE = 60;
const MOST_ROWS = 10;
const PREVIEW = 5;

class SearchScreen implements Screen<Hit | null> {
  readonly #search: Search;
  readonly #read: ReadQuery;
  readonly #output: NodeJS.WriteStream;
  readonly #frames: FrameWriter;
  #state: SearchState = NOTHING_YET;
  #underWay: AbortController | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(search: Search, read: ReadQuery, output: NodeJS.WriteStream) {
    this.#search = search;
    this.#read = read;
    this.#output = output;
    this.#frames = new FrameWriter(output);
  }

  press(text: string | undefined, key: Key): { readonly value: Hit | null } | null {
    const name = keyName(key);
    if (LEAVE.has(name)) return { value: null };
    if (name === 'return' || name === 'enter') {
      const hit = this.#state.hits[this.#state.selected];
      return hit ? { value: hit } : null;
    }
    const { query, page } = this.#state;
    const rows: Record<string, number> = { up: -1, 'ctrl-p': -1, down: 1, 'ctrl-n': 1, pageup: -page, pagedown: page };
    const edits: Record<string, () => string> = {
      backspace: () => eraseCharacter(query),
      'ctrl-u': () => '',
      'ctrl-w': () => eraseWord(query),
    };
    const typed = typedBy(text, key);
    if (rows[name] !== undefined) this.#show(moveBy(this.#state, rows[name]));
    else if (edits[name]) this.#type(edits[name]());
    else if (typed !== null) this.#type(query + typed);
    return null;
  }

  resize(): void {
    this.#frames.resize();
    const free = this.#frames.size.rows - 1 - FRAME_LINES - this.#preview - (this.#preview > 0 ? PREVIEW_HEAD : 0);
    this.#show(setPage(this.#state, Math.min(MOST_ROWS, free)));
  }

  remove(): void {
    clearTimeout(this.#timer);
    this.#underWay?.abort();
    this.#frames.remove();
  }

  /** A low terminal has room for the list only. */
  get #preview(): number {
    return this.#frames.size.rows < 16 ? 0 : PREVIEW;
  }

  #type(query: string): void {
    if (query === this.#state.query) return;
    this.#underWay?.abort();
    clearTimeout(this.#timer);
    this.#show(typeQuery(this.#state, query));
    if (query.trim() !== '') this.#timer = setTimeout(() => void this.#run(query), PAUSE);
  }

  async #run(query: string): Promise<void> {
    const controller = new AbortController();
    this.#underWay = controller;
    const { signal } = controller;
    try {
      const wanted = this.#read(query);
      if (!wanted) return;
      const found = await this.#search.search(
        { ...wanted, limit: LIMIT, snippet: SNIPPET },
        { signal, onFound: (known) => signal.aborted || this.#show(showFound(this.#state, known, false)) },
      );
      if (!signal.aborted) this.#show(showFound(this.#state, found, true));
    } catch (error) {
      if (signal.aborted) return;
      const [line = ''] = error instanceof SkeinError ? error.message.split('\n') : [String(error)];
      this.#show(showProblem(this.#state, printableLine(line)));
    }
  }

  #show(state: SearchState): void {
    this.#state = state;
    this.#frames.draw(
      drawSearch(state, {
        columns: this.#frames.size.columns,
        preview: this.#preview,
        paint: paintFor(this.#output),
      }),
    );
  }
}
