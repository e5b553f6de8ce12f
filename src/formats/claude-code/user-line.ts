import type { ChainLine, Kind, LineRef, Link, More, Origin, Place, ResultOf } from '../../model/index.ts';
import { isWordless, type JsonObject, objectOf, textOf } from '../lines/index.ts';
import type { Envelope } from './envelope.ts';
import { type MessageText, onlyResult, readMessageText } from './message-text.ts';
import { type Reading, reads } from './reading.ts';
import { contentDigest, type ScannedLine } from './scan-line.ts';
import { notificationLinks, openingTokens, resultLinks } from './spawn-tokens.ts';
import { isSkippedCommand, readCommand, readNotification, sortOf, type TextSort, tagText } from './text-tags.ts';

type Meaning = Pick<ChainLine, 'kind' | 'place' | 'origin' | 'more'>;

const means = (kind: Kind, place: Place, origin: Origin | null = null, more: More | null = null): Meaning => ({
  kind,
  place,
  origin,
  more,
});

export const RECORD: Place = { as: 'record' };
/** Injected by the agent's process, which uses one uuid in several files: never a bridge between sessions (H7). */
const ASIDE: Place = { as: 'annotation', joins: false, gathers: false };
const CAVEAT: Place = { as: 'annotation', joins: false, gathers: true };
const COMMAND_OUTPUT: Place = {
  as: 'reply',
  to: 'parent',
  of: ['built_in_command', 'user_defined_command'],
  makes: null,
  otherwise: 'annotation',
};
const EXPANDED_PROMPT: Place = {
  as: 'reply',
  to: 'parent',
  of: ['built_in_command'],
  makes: 'user_defined_command',
  otherwise: 'annotation',
};
const BASH_OUTPUT: Place = { as: 'reply', to: 'before', of: ['bash'], makes: null, otherwise: 'annotation' };
export const COMPACTION_SUMMARY: Place = {
  as: 'reply',
  to: 'either',
  of: ['compaction'],
  makes: null,
  otherwise: 'record',
};

/**
 *     {"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"fix it"}}
 *
 * A user line is a prompt, a command, the output of one, a tool result, or text the agent injected: the order of the questions matters.
 */
export function readUser(object: JsonObject, envelope: Envelope, scanned: ScannedLine | null): Reading {
  const content = objectOf(object.message)?.content;
  const digest = contentDigest(scanned, content, 1);
  const result = onlyResult(content);
  if (result) {
    const links = linksOf(object, result);
    const place: Place = { as: 'result', of: [callOf(result)], text: false, body: false };
    return reads('user', place, null, digest, links ? { links } : null);
  }
  const message = readMessageText(content);
  const meaning = meaningOf(object, envelope, message);
  let { more } = meaning;
  if (message.injected.length > 0 && isShown(meaning.place))
    more = extend(more, { injected: message.injected.map(({ name }) => name) });
  return reads(meaning.kind, meaning.place, meaning.origin, digest, more);
}

/** Without an id its call is unknown. */
const callOf = (result: JsonObject): ResultOf => ({
  call: textOf(result.tool_use_id) ?? '',
  isError: result.is_error === true,
});

function linksOf(object: JsonObject, result: JsonObject): readonly Link[] | null {
  const call = textOf(result.tool_use_id);
  return call === null ? null : resultLinks(call, object.toolUseResult, result.content);
}

const isShown = (place: Place): boolean => place.as === 'record' || (place.as === 'result' && place.text);

export const FORKED: More = { forked: true };
const WORDLESS: More = { wordless: true };
export const extend = (more: More | null, further: More): More => (more === null ? further : { ...more, ...further });

function meaningOf(object: JsonObject, envelope: Envelope, message: MessageText): Meaning {
  if (message.results.length > 0) return resultMeaning(object, message);
  if (object.isCompactSummary === true) return means('compaction', COMPACTION_SUMMARY);
  const sort = sortOf(message.text);
  if (sort === 'compaction' && envelope.subagent === null) return means('compaction', COMPACTION_SUMMARY);
  const skill = textOf(object.sourceToolUseID);
  if (object.isMeta === true && skill !== null) {
    return means('skill', { as: 'result', of: [{ call: skill, isError: false }], text: false, body: true });
  }
  if (sort === 'caveat' || isCaveat(message)) return means('caveat', CAVEAT);
  if (object.isMeta === true && sort === 'plain') return metaMeaning(message);
  if (object.isMeta === true && INJECTED.has(sort)) return means('meta', ASIDE);
  const who = textOf(objectOf(object.origin)?.kind);
  if (who !== null && who !== 'human') return sentMeaning(who, sort, message);
  return sortMeaning(sort, envelope, message);
}

/** What a person would have typed, marked as not typed. */
const INJECTED: ReadonlySet<TextSort> = new Set(['command', 'bash', 'memory', 'interruption']);

/** Another agent or the program itself speaks. */
function sentMeaning(who: string, sort: TextSort, message: MessageText): Meaning {
  const links = sort === 'notification' ? notificationLinks(readNotification(message.text)) : null;
  const kind = who === 'peer' || sort === 'teammate' ? 'teammate' : 'notification';
  return means(kind, RECORD, null, links && { links });
}

const isCaveat = (message: MessageText): boolean =>
  message.text.trim() === '' &&
  message.others === 0 &&
  message.injected.some(({ name }) => name === 'local-command-caveat');

/** A result line may also hold what the human said when refusing the call. */
function resultMeaning(object: JsonObject, message: MessageText): Meaning {
  const { results } = message;
  const text = message.text.trim() !== '';
  const of = results.map(callOf);
  const links = results.length === 1 ? linksOf(object, results[0] as JsonObject) : null;
  const origin = !text ? null : sortOf(message.text) === 'interruption' ? 'interruption' : 'human';
  return means('user', { as: 'result', of, text, body: false }, origin, links && { links });
}

/** Marked as injected: the expanded text of a command, or an aside. */
function metaMeaning(message: MessageText): Meaning {
  const text = message.text.trim();
  return means('meta', text === '' || text.startsWith('[Image') ? ASIDE : EXPANDED_PROMPT);
}

function sortMeaning(sort: TextSort, envelope: Envelope, message: MessageText): Meaning {
  const opening = envelope.subagent === null ? null : { tokens: openingTokens(message.text) };
  switch (sort) {
    case 'command':
      return commandMeaning(message.text, envelope.ref);
    case 'command_output':
      return localCommandMeaning(message.text, envelope.ref) as Meaning;
    case 'bash':
      return means('bash', RECORD);
    case 'bash_output':
      return means('bash_output', BASH_OUTPUT);
    case 'memory':
      return means('user', RECORD, 'memory');
    case 'interruption':
      return means('user', RECORD, 'interruption');
    case 'notification': {
      const links = notificationLinks(readNotification(message.text));
      return means('notification', RECORD, null, links && { links });
    }
    case 'teammate':
      return means('teammate', RECORD, null, opening);
    default:
      return promptMeaning(envelope, message, opening);
  }
}

function promptMeaning(envelope: Envelope, message: MessageText, opening: More | null): Meaning {
  const empty = message.text.trim() === '' && message.others === 0;
  if (empty && message.injected.length > 0) return means(`injected/${message.injected[0]?.name}`, ASIDE);
  if (envelope.subagent === null)
    return means('user', RECORD, message.odd ? null : 'human', isWordless(message.text) ? WORDLESS : null);
  const more = message.text === 'Warmup' ? extend(opening, { helper: true }) : opening;
  return means('user', RECORD, 'agent', more);
}

/** Also for `system/local_command` lines, which newer versions write instead of user lines. */
function commandMeaning(text: string, ref: LineRef): Meaning {
  const command = readCommand(text);
  if (isSkippedCommand(command.name))
    return means('built_in_command', ASIDE, null, command.name === '/clear' ? cleared(ref) : null);
  const kind = command.contents === null ? 'built_in_command' : 'user_defined_command';
  return means(kind, RECORD, null, renamed(text, ref));
}

/** What was said before is no longer in the window. */
const cleared = (ref: LineRef): More => ({ facts: [{ type: 'clear', about: null, value: null, ref }] });

/** `/rename New title`, or its output, is the title a user gave. */
function renamed(text: string, ref: LineRef): More | null {
  const command = sortOf(text) === 'command' ? readCommand(text) : null;
  const said = /^Session renamed to: (.+)/.exec(tagText(text, 'local-command-stdout')?.trim() ?? '')?.[1];
  const title = command?.name === '/rename' ? command.args : said;
  return title ? { facts: [{ type: 'title', about: null, value: { text: title, by: 'user' }, ref }] } : null;
}

export function localCommandMeaning(text: string, ref: LineRef): Meaning | null {
  const sort = sortOf(text);
  if (sort === 'command') return commandMeaning(text, ref);
  if (sort !== 'command_output') return null;
  return means('command_output', COMMAND_OUTPUT, null, renamed(text, ref));
}
