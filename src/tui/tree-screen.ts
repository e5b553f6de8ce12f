import type { Selector, SelectorNode } from '../selector/index.ts';
import { eraseCharacter, eraseWord } from './edit-line.ts';
import type { KeyPress } from './keys.ts';

/** What a key asks of whoever runs the screen. */
export type Wish =
  | { readonly to: 'leave' }
  | { readonly to: 'open' | 'branch'; readonly node: SelectorNode }
  | { readonly to: 'label'; readonly node: SelectorNode; readonly text: string };

/** A question in the place of the status line. */
export type Question =
  | { readonly about: 'label'; readonly node: SelectorNode; readonly text: string }
  | { readonly about: 'branch'; readonly node: SelectorNode };

export interface ScreenOptions {
  readonly title: string;
  /** Which session it is: stays readable beside a long title. */
  readonly id: string;
  /** The question whether to do what `b` does here. */
  readonly branch: string;
  /** In a list of prompts there is nothing to fold, and Enter branches before one. */
  readonly shows: 'tree' | 'prompts';
}

/** The tree on a terminal: what is selected and asked, and what each key does. Nothing here knows how it is drawn. */
export class TreeScreen {
  readonly selector: Selector;
  readonly options: ScreenOptions;
  /** Typing goes to the search even before there is anything in it. */
  isSearching = false;
  question: Question | null = null;
  /** Said once, until the next key. */
  message: string | null = null;
  /** Rows of a page, as it was last drawn. */
  height = 1;
  /** Levels of the tree that are out of sight at the left. */
  shift = 0;

  constructor(selector: Selector, options: ScreenOptions) {
    this.selector = selector;
    this.options = options;
  }

  /** What is pasted is no key, and one line. */
  paste(text: string): void {
    const line = text.replace(/\p{Cc}+/gu, ' ');
    if (this.question?.about === 'label') this.question = { ...this.question, text: this.question.text + line };
    else this.#type(this.selector.query + line);
  }

  press(key: KeyPress): Wish | null {
    this.message = null;
    if (key.name === 'ctrl-c') return { to: 'leave' };
    if (this.question) return this.#answer(this.question, key);
    const action = ACTIONS[key.name];
    if (action) action(this);
    else if (key.name === 'escape') return this.#escape();
    else if (key.name === 'enter') return this.#wish('open');
    else if (key.name === 'backspace') this.#type(eraseCharacter(this.selector.query));
    else if (key.name === '') this.#typed(key.text);
    return null;
  }

  #typed(text: string): void {
    const { selector } = this;
    const node = selector.selectedNode;
    if (this.isSearching || selector.query !== '') this.#type(selector.query + text);
    else if (text === '/') this.isSearching = true;
    else if (text === ' ') selector.toggleFold();
    else if (text === 'L' && node) this.question = labelQuestion(selector, node);
    else if (text === 'b' && node) this.question = { about: 'branch', node };
    else this.#type(text);
  }

  #type(query: string): void {
    if (query !== '') this.isSearching = true;
    this.selector.setQuery(query);
  }

  #escape(): Wish | null {
    if (!this.isSearching && this.selector.query === '') return { to: 'leave' };
    this.isSearching = false;
    this.selector.setQuery('');
    return null;
  }

  #wish(to: 'open' | 'branch'): Wish | null {
    const node = this.selector.selectedNode;
    return node ? { to, node } : null;
  }

  #answer(question: Question, key: KeyPress): Wish | null {
    if (key.name === 'escape') this.question = null;
    else if (question.about === 'label') return this.#answerLabel(question, key);
    else if (key.name === 'enter') {
      this.question = null;
      return { to: 'branch', node: question.node };
    } else if (key.name === '') {
      // Somebody types a word that begins with this letter.
      this.question = null;
      this.#type(`b${key.text}`);
    }
    return null;
  }

  #answerLabel(question: Question & { about: 'label' }, { name, text }: KeyPress): Wish | null {
    const edit = (to: string): void => {
      this.question = { ...question, text: to };
    };
    if (name === 'enter') {
      this.question = null;
      return { to: 'label', node: question.node, text: question.text.trim() };
    }
    if (name === 'backspace') edit(eraseCharacter(question.text));
    else if (name === 'ctrl-u') edit('');
    else if (name === 'ctrl-w') edit(eraseWord(question.text));
    else if (name === '') edit(question.text + text);
    return null;
  }
}

const labelQuestion = (selector: Selector, node: SelectorNode): Question => ({
  about: 'label',
  node,
  text: selector.labelOf(node)?.text ?? '',
});

const ACTIONS: { readonly [name: string]: ((screen: TreeScreen) => void) | undefined } = {
  up: ({ selector }) => selector.move(-1),
  down: ({ selector }) => selector.move(1),
  pageup: ({ selector, height }) => selector.move(-height),
  pagedown: ({ selector, height }) => selector.move(height),
  home: ({ selector }) => selector.move(-Infinity),
  end: ({ selector }) => selector.move(Infinity),
  left: ({ selector }) => selector.foldOrRise(),
  right: ({ selector }) => selector.unfoldOrSink(),
  tab: ({ selector }) => selector.toggleFold(),
  'ctrl-o': ({ selector }) => selector.cycleMode(),
  'ctrl-u': ({ selector }) => selector.setQuery(''),
  'ctrl-w': ({ selector }) => selector.setQuery(eraseWord(selector.query)),
};
